import { accessTokenEndpoints } from '@platen/contract/access-tokens';
import { HttpReply } from '../../http/reply.ts';
import { routes } from '../../http/routes.ts';
import {
  createPersonalToken,
  createProjectToken,
  listPersonalTokens,
  listProjectTokens,
  listTokenNames,
  revokePersonalToken,
  revokeProjectToken,
} from './operations.ts';

const shownOnce = { 'cache-control': 'no-store' };

export const accessTokenRoutes = routes(accessTokenEndpoints, {
  getUserAccessTokens: (context, { caller, query }) => listPersonalTokens(context, caller, query),
  postUserAccessToken: async (context, { caller, body }) =>
    new HttpReply(await createPersonalToken(context, caller, body), shownOnce),
  deleteUserAccessToken: (context, { caller, params }) =>
    revokePersonalToken(context, caller, params.accessTokenId),
  getProjectAccessTokens: (context, { params, query }) => listProjectTokens(context, params.projectId, query),
  getProjectAccessTokenNames: (context, { params, query }) =>
    listTokenNames(context, params.projectId, query),
  postProjectAccessToken: async (context, { caller, params, body }) =>
    new HttpReply(
      await createProjectToken(context, caller, { projectId: params.projectId, body }),
      shownOnce,
    ),
  deleteProjectAccessToken: (context, { caller, params }) =>
    revokeProjectToken(context, caller, { projectId: params.projectId, id: params.accessTokenId }),
});
