import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Id, strict } from './schema.ts';

const megabytes = { minimum: 1, maximum: 1_000_000_000 };

/** What a runner has, and gives to each of its jobs. */
export const RunnerCapabilities = strict({
  cores: Type.Integer({ minimum: 1, maximum: 100_000 }),
  memoryMegabytes: Type.Integer({ ...megabytes, description: 'That a job may take' }),
  cpuSeconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'Of all its threads, that a job may take; absent: no limit',
    }),
  ),
  scratchMegabytes: Type.Optional(
    Type.Integer({ ...megabytes, description: 'Of its disk, that a job may take' }),
  ),
  platform: Type.String({ maxLength: 100, description: 'Such as `linux x64`' }),
  node: Type.String({ maxLength: 100 }),
});
export type RunnerCapabilities = Static<typeof RunnerCapabilities>;

const typeName = Type.String({ pattern: '^[A-Z][A-Za-z0-9]{0,99}$' });

const told = {
  labels: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50 }),
  version: Type.String({ maxLength: 100 }),
  typeNames: Type.Optional(
    Type.Array(typeName, {
      maxItems: 1000,
      description: 'The job types that it knows, without a prefix; absent: it is given any job',
    }),
  ),
  capabilities: Type.Optional(RunnerCapabilities),
};

/** What a runner tells of itself each time it starts. */
export const RunnerRegistration = strict(told);
export type RunnerRegistration = Static<typeof RunnerRegistration>;

const tag = 'runner';

/** How a runner comes and goes. */
export const registrationEndpoints = endpoints({
  postRunnerEnrol: {
    method: 'POST',
    path: '/runner/enrol',
    tag,
    summary: 'Exchange an enrolment token for a token of this runner',
    description: 'Whoever enrols under a name again stays the same runner; its token before stops working.',
    access: 'public',
    body: strict({
      enrolmentToken: Type.String({ minLength: 1, maxLength: 200 }),
      name: Type.String({ minLength: 1, maxLength: 200 }),
      ...told,
    }),
    reply: Type.Object({ runnerId: Id, token: Type.String() }),
    status: 201,
    errors: ['unauthenticated', 'conflict'],
  },
  putRunnerRegistration: {
    method: 'PUT',
    path: '/runner/registration',
    tag,
    summary: 'Tell what this runner is, as it does at each start',
    access: 'runner',
    body: RunnerRegistration,
    reply: Type.Object({ runnerId: Id, name: Type.String() }),
  },
  postRunnerGoodbye: {
    method: 'POST',
    path: '/runner/goodbye',
    tag,
    summary: 'Tell that this runner has shut down; what it still holds goes back to the queue',
    access: 'runner',
  },
});
