import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { permissions } from './permission.ts';
import { filter, Id, listQuery, oneOf, page, stampFilters, stamps, strict } from './schema.ts';
import { UserProfile } from './users.ts';

/** A built-in role. Roles are immutable, and there are no custom ones. */
export const Role = Type.Object({ ...stamps, name: Type.String(), permissions: Type.Array(Type.String()) });
export type Role = Static<typeof Role>;

export const RoleListQuery = listQuery(['name', 'createdAt', 'updatedAt', '_id'], {
  name: filter.text(),
  ...stampFilters,
  permission: Type.Optional(oneOf(permissions, 'Roles that carry this permission in a project')),
});
export type RoleListQuery = Static<typeof RoleListQuery>;

/** The role of a principal (a user) on a resource (a project or an app). */
export const Grant = Type.Object({
  principalId: Id,
  username: Type.String(),
  resourceId: Id,
  resourceType: oneOf(['project', 'app']),
  roleId: Id,
  roleName: Type.String(),
  permissions: Type.Array(Type.String()),
});
export type Grant = Static<typeof Grant>;

const Principals = strict({ principalIds: Type.Array(Id, { minItems: 1, maxItems: 100 }) });
const Grants = Type.Object({ items: Type.Array(Grant) });
const tag = 'iam';

export const iamEndpoints = endpoints({
  getIamRoles: {
    method: 'GET',
    path: '/iam/roles',
    tag,
    summary: 'List the roles, or those with a permission',
    access: 'user',
    query: RoleListQuery,
    reply: page(Role),
  },
  getIamRole: {
    method: 'GET',
    path: '/iam/role/:roleId',
    tag,
    summary: 'Get a role',
    access: 'user',
    reply: Role,
  },
  putIamRole: {
    method: 'PUT',
    path: '/iam/role/:roleId/:resourceId',
    tag,
    summary: 'Grant a role on a project or an app',
    access: 'user',
    query: Principals,
    errors: ['forbidden', 'not_found', 'unusable_reference', 'conflict'],
  },
  deleteIamRole: {
    method: 'DELETE',
    path: '/iam/role/:roleId/:resourceId',
    tag,
    summary: 'Revoke a role on a project or an app',
    access: 'user',
    query: Principals,
    errors: ['forbidden', 'not_found', 'conflict'],
  },
  getIamResourcePermission: {
    method: 'GET',
    path: '/iam/resource-permission/:principalId',
    tag,
    summary:
      'List the resources on which a principal has a role; administrators for anyone, others for themselves',
    access: 'user',
    reply: Grants,
    errors: ['forbidden', 'not_found'],
  },
  getIamPrincipalPermission: {
    method: 'GET',
    path: '/iam/principal-permission/:resourceId',
    tag,
    summary: 'List the principals of a project or an app',
    access: 'user',
    reply: Grants,
    errors: ['forbidden', 'not_found'],
  },
  getIamSuperUsers: {
    method: 'GET',
    path: '/iam/super-users',
    tag,
    summary: 'List the super users',
    access: 'admin',
    reply: Type.Object({ items: Type.Array(UserProfile) }),
  },
  getIamSuperUser: {
    method: 'GET',
    path: '/iam/super-user/:userId',
    tag,
    summary: 'Get whether a user is a super user',
    access: 'selfOrAdmin',
    reply: Type.Object({ isSuperUser: Type.Boolean() }),
  },
  putIamSuperUser: {
    method: 'PUT',
    path: '/iam/super-user/:userId',
    tag,
    summary: 'Make a user a super user',
    access: 'superUser',
    errors: ['not_found', 'conflict'],
  },
  deleteIamSuperUser: {
    method: 'DELETE',
    path: '/iam/super-user/:userId',
    tag,
    summary: 'Revoke super user rights; the last super user cannot be removed',
    access: 'superUser',
    errors: ['not_found', 'conflict'],
  },
});
