import { appEndpoints } from '@platen/contract/apps';
import { routes } from '../http/routes.ts';
import {
  changeApp,
  compileApp,
  createApp,
  getApp,
  listAppPrincipals,
  listApps,
  listMapVersions,
  removeApp,
} from './operations.ts';
import { makeAppPrivate, makeAppPublic } from './publicity.ts';

export const appRoutes = routes(appEndpoints, {
  postProjectApp: (context, { caller, params, query, body }) =>
    createApp(context, caller, { ...params, body, memberId: query.MemberId }),
  getProjectApps: (context, { caller, params, query }) => listApps(context, caller, params.projectId, query),
  getProjectApp: (context, { params }) => getApp(context, params),
  putProjectApp: (context, { caller, params, body, ifMatch }) =>
    changeApp(context, caller, { ...params, body, ifMatch }),
  deleteProjectApp: (context, { caller, params }) => removeApp(context, caller, params),
  getProjectAppCompiled: (context, { params }) => compileApp(context, params),
  getProjectAppUsers: (context, { params }) => listAppPrincipals(context, params),
  putProjectAppPublic: (context, { caller, params, ifMatch }) =>
    makeAppPublic(context, caller, { ...params, ifMatch }),
  deleteProjectAppPublic: (context, { caller, params }) => makeAppPrivate(context, caller, params),
  getMapVersions: async () => listMapVersions(),
});
