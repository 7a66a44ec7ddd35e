import { memberOf, moduleEndpoints } from '@platen/contract/modules';
import { routes } from '../../http/routes.ts';
import {
  changeModule,
  createModule,
  getModule,
  listModulePrincipals,
  listModules,
  removeModule,
} from './operations.ts';

export const moduleRoutes = routes(moduleEndpoints, {
  postProjectModule: (context, { caller, params, query, body }) =>
    createModule(context, caller, { ...params, body, memberId: memberOf(query) }),
  getProjectModules: (context, { caller, params, query }) =>
    listModules(context, caller, params.projectId, query),
  getProjectModule: (context, { params }) => getModule(context, params),
  putProjectModule: (context, { caller, params, query, body, ifMatch }) =>
    changeModule(context, caller, { ...params, body, ifMatch, replace: query.replace ?? false }),
  deleteProjectModule: (context, { caller, params, query }) =>
    removeModule(context, caller, { ...params, force: query.force ?? false }),
  getProjectModuleUsers: (context, { params, query }) => listModulePrincipals(context, params, query),
});
