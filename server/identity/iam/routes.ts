import { iamEndpoints } from '@platen/contract/iam';
import { routes } from '../../http/routes.ts';
import {
  getRole,
  grantRole,
  isSuperUser,
  listGrantsOfPrincipal,
  listGrantsOnResource,
  listRoles,
  listSuperUsers,
  setSuperUser,
  revokeRole,
} from './operations.ts';

export const iamRoutes = routes(iamEndpoints, {
  getIamRoles: (context, { query }) => listRoles(context, query),
  getIamRole: (context, { params }) => getRole(context, params.roleId),
  putIamRole: (context, { caller, params, query }) => grantRole(context, caller, { ...params, ...query }),
  deleteIamRole: (context, { caller, params, query }) => revokeRole(context, caller, { ...params, ...query }),
  getIamResourcePermission: (context, { caller, params, query }) =>
    listGrantsOfPrincipal(context, caller, { ...params, ...query }),
  getIamPrincipalPermission: (context, { caller, params, query }) =>
    listGrantsOnResource(context, caller, params.resourceId, query),
  getIamSuperUsers: (context, { query }) => listSuperUsers(context, query),
  getIamSuperUser: (context, { params }) => isSuperUser(context, params.userId),
  putIamSuperUser: async (context, { caller, params }) => {
    await setSuperUser(context, caller, params.userId, true);
  },
  deleteIamSuperUser: (context, { caller, params }) => setSuperUser(context, caller, params.userId, false),
});
