import { Type, type Static } from 'typebox';
import { confinementMeasures } from './confinement.ts';
import { endpoints } from './endpoint.ts';
import { Id, oneOf, strict } from './schema.ts';

const megabytes = { minimum: 1, maximum: 1_000_000_000 };

/** The resources of a runner, available to each of its jobs. */
export const RunnerCapabilities = strict({
  cores: Type.Integer({ minimum: 1, maximum: 100_000 }),
  memoryMegabytes: Type.Integer({ ...megabytes, description: 'Memory limit of a job' }),
  cpuSeconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'CPU time limit of a job over all threads; absent: no limit',
    }),
  ),
  scratchMegabytes: Type.Optional(Type.Integer({ ...megabytes, description: 'Disk space limit of a job' })),
  platform: Type.String({ maxLength: 100, description: 'For example `linux x64`' }),
  node: Type.String({ maxLength: 100 }),
  confinement: Type.Optional(
    Type.Array(oneOf(confinementMeasures), {
      maxItems: confinementMeasures.length,
      description:
        'Measures that confine the processes of jobs; those that are missing are not possible on its machine',
    }),
  ),
});
export type RunnerCapabilities = Static<typeof RunnerCapabilities>;

const typeName = Type.String({ pattern: '^[A-Z][A-Za-z0-9]{0,99}$' });

const registrationFields = {
  labels: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50 }),
  version: Type.String({ maxLength: 100 }),
  typeNames: Type.Optional(
    Type.Array(typeName, {
      maxItems: 1000,
      description: 'Supported job types, without a prefix; absent: any',
    }),
  ),
  capabilities: Type.Optional(RunnerCapabilities),
};

/** The data that a runner sends at each start. */
export const RunnerRegistration = strict(registrationFields);
export type RunnerRegistration = Static<typeof RunnerRegistration>;

const tag = 'runner';

/** Registration and deregistration of runners. */
export const registrationEndpoints = endpoints({
  postRunnerEnrol: {
    method: 'POST',
    path: '/runner/enrol',
    tag,
    summary: 'Exchange an enrolment token for a runner token',
    description: 'Enrolling again under the same name keeps the runner and invalidates its previous token.',
    access: 'public',
    body: strict({
      enrolmentToken: Type.String({ minLength: 1, maxLength: 200 }),
      name: Type.String({ minLength: 1, maxLength: 200 }),
      ...registrationFields,
    }),
    reply: Type.Object({ runnerId: Id, token: Type.String() }),
    status: 201,
    errors: ['unauthenticated', 'conflict'],
  },
  putRunnerRegistration: {
    method: 'PUT',
    path: '/runner/registration',
    tag,
    summary: 'Report the properties of this runner; sent at each start',
    access: 'runner',
    body: RunnerRegistration,
    reply: Type.Object({ runnerId: Id, name: Type.String() }),
  },
  postRunnerGoodbye: {
    method: 'POST',
    path: '/runner/goodbye',
    tag,
    summary: 'Report that this runner has shut down; its jobs return to the queue',
    access: 'runner',
  },
});
