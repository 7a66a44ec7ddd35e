import { memberOf } from '@platen/contract/modules';
import { appEndpoints } from '@platen/contract/apps';
import { routes } from '../http/routes.ts';
import {
  changeApp,
  compileApp,
  createApp,
  getAppWithWarnings,
  listAppPrincipals,
  listApps,
  listMapVersions,
  removeApp,
} from './operations.ts';
import { makeAppPrivate, makeAppPublic } from './visibility.ts';

export const appRoutes = routes(appEndpoints, {
  postProjectApp: (context, { caller, params, query, body }) =>
    createApp(context, caller, { ...params, body, memberId: memberOf(query) }),
  getProjectApps: (context, { caller, params, query }) => listApps(context, caller, params.projectId, query),
  getProjectApp: (context, { caller, params }) => getAppWithWarnings(context, caller, params),
  putProjectApp: (context, { caller, params, body, ifMatch }) =>
    changeApp(context, caller, { ...params, body, ifMatch }),
  deleteProjectApp: (context, { caller, params }) => removeApp(context, caller, params),
  getProjectAppCompiled: (context, { caller, params, query }) =>
    compileApp(context, caller, { ...params, ...query }),
  getProjectAppUsers: (context, { params, query }) => listAppPrincipals(context, params, query),
  putProjectAppPublic: (context, { caller, params, body, ifMatch }) =>
    makeAppPublic(context, caller, { ...params, body, ifMatch }),
  deleteProjectAppPublic: (context, { caller, params }) => makeAppPrivate(context, caller, params),
  getMapVersions: async () => listMapVersions(),
});
