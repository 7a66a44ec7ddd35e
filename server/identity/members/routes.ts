import { memberEndpoints } from '@platen/contract/members';
import { routes } from '../../http/routes.ts';
import { assignMember, listMembers, removeMember } from './operations.ts';

export const memberRoutes = routes(memberEndpoints, {
  getProjectUsers: (context, { params, query }) => listMembers(context, params.projectId, query),
  putProjectUser: (context, { caller, params, body }) =>
    assignMember(context, caller, { ...params, ...body }),
  deleteProjectUser: (context, { caller, params, query }) =>
    removeMember(context, caller, { ...params, purge: query.purge ?? false }),
});
