import { registrationEndpoints } from '@platen/contract/runner-registration';
import { adminRunnerEndpoints } from '@platen/contract/runners';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../base/context.ts';
import { requestOriginOf } from '../../http/credentials.ts';
import { routes } from '../../http/routes.ts';
import {
  createEnrolmentToken,
  getRunner,
  listEnrolmentTokens,
  listRunners,
  removeEnrolmentToken,
  removeRunner,
} from './operations.ts';
import { enrol, register, deregister } from './registration.ts';

export function runnerRegistryRoutes(app: FastifyInstance, context: Context): void {
  ofRunners(app, context);
  ofOperators(app, context);
}

const ofRunners = routes(registrationEndpoints, {
  postRunnerEnrol: (context, { body, http }) => enrol(context, body, requestOriginOf(http.request)),
  putRunnerRegistration: (context, { caller, body }) => register(context, caller, body),
  postRunnerGoodbye: (context, { caller }) => deregister(context, caller),
});

const ofOperators = routes(adminRunnerEndpoints, {
  getAdminRunners: (context, { query }) => listRunners(context, query),
  getAdminRunner: (context, { params }) => getRunner(context, params.runnerId),
  deleteAdminRunner: (context, { caller, params }) => removeRunner(context, caller, params.runnerId),
  postAdminEnrolmentToken: (context, { caller, body }) => createEnrolmentToken(context, caller, body),
  getAdminEnrolmentTokens: (context, { query }) => listEnrolmentTokens(context, query),
  deleteAdminEnrolmentToken: (context, { caller, params }) =>
    removeEnrolmentToken(context, caller, params.enrolmentTokenId),
});
