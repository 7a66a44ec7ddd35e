import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { permissions } from './permission.ts';
import {
  Deleted,
  filter,
  Id,
  listQuery,
  oneOf,
  page,
  paging,
  someOf,
  stampFilters,
  stamps,
  strict,
} from './schema.ts';
import { UserProfile } from './users.ts';

/** A built-in role. Roles are immutable, and there are no custom ones. */
export const Role = Type.Object({ ...stamps, name: Type.String(), permissions: Type.Array(Type.String()) });
export type Role = Static<typeof Role>;

export const RoleListQuery = listQuery(['name', 'createdAt', 'updatedAt', '_id'], {
  name: filter.text(),
  ...stampFilters,
  permission: Type.Optional(oneOf(permissions, 'Roles that carry this permission in a project')),
  permissions: someOf(oneOf(permissions), permissions.length, 'Roles that carry any of these permissions'),
});
export type RoleListQuery = Static<typeof RoleListQuery>;

/** The roles of a principal (a user) on a resource (a project or an app). `roleId` is the first of `roles`. */
export const Grant = Type.Object({
  principalId: Id,
  username: Type.String(),
  resourceId: Id,
  resourceType: oneOf(['project', 'app']),
  roleId: Id,
  roleName: Type.String(),
  permissions: Type.Array(Type.String()),
  roles: Type.Array(Type.Object({ _id: Id, name: Type.String(), permissions: Type.Array(Type.String()) })),
});
export type Grant = Static<typeof Grant>;

const grantFilters = {
  ...paging,
  roleId: filter.exact(),
  permissions: someOf(oneOf(permissions), permissions.length, 'Holders of any of these permissions'),
};

export const PrincipalListQuery = strict({ ...grantFilters, principalId: filter.exact() });
export type PrincipalListQuery = Static<typeof PrincipalListQuery>;

export const ResourceListQuery = strict({ ...grantFilters, resourceId: filter.exact() });
export type ResourceListQuery = Static<typeof ResourceListQuery>;

/** A super user; `userId` is the same as `_id`. */
export const SuperUser = Type.Object({ ...UserProfile.properties, userId: Id });
export type SuperUser = Static<typeof SuperUser>;

export const SuperUserListQuery = strict(paging);
export type SuperUserListQuery = Static<typeof SuperUserListQuery>;

const Principals = strict({ principalIds: Type.Array(Id, { minItems: 1, maxItems: 100 }) });
const tag = 'iam';

export const iamEndpoints = endpoints({
  getIamRoles: {
    method: 'GET',
    path: '/iam/roles',
    tag,
    summary: 'List the roles, or those with a permission',
    access: 'user',
    accessTokens: 'any',
    query: RoleListQuery,
    reply: page(Role),
  },
  getIamRole: {
    method: 'GET',
    path: '/iam/role/:roleId',
    tag,
    summary: 'Get a role',
    access: 'user',
    accessTokens: 'any',
    reply: Role,
  },
  putIamRole: {
    method: 'PUT',
    path: '/iam/role/:roleId/:resourceId',
    tag,
    summary: 'Grant a role on a project or an app',
    access: 'user',
    query: Principals,
    status: 201,
    errors: ['forbidden', 'not_found', 'unusable_reference', 'conflict'],
  },
  deleteIamRole: {
    method: 'DELETE',
    path: '/iam/role/:roleId/:resourceId',
    tag,
    summary: 'Revoke a role on a project or an app',
    access: 'user',
    query: Principals,
    reply: Deleted,
    errors: ['forbidden', 'not_found', 'conflict'],
  },
  getIamResourcePermission: {
    method: 'GET',
    path: '/iam/resource-permission/:principalId',
    tag,
    summary:
      'List the resources on which a principal has a role; administrators for anyone, others for themselves',
    access: 'user',
    query: ResourceListQuery,
    reply: page(Grant),
    errors: ['forbidden', 'not_found'],
  },
  getIamPrincipalPermission: {
    method: 'GET',
    path: '/iam/principal-permission/:resourceId',
    tag,
    summary: 'List the principals of a project or an app',
    access: 'user',
    query: PrincipalListQuery,
    reply: page(Grant),
    errors: ['forbidden', 'not_found'],
  },
  getIamSuperUsers: {
    method: 'GET',
    path: '/iam/super-users',
    tag,
    summary: 'List the super users',
    access: 'admin',
    query: SuperUserListQuery,
    reply: page(SuperUser),
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
    status: 201,
    errors: ['not_found', 'conflict'],
  },
  deleteIamSuperUser: {
    method: 'DELETE',
    path: '/iam/super-user/:userId',
    tag,
    summary: 'Revoke super user rights; the last super user cannot be removed',
    access: 'superUser',
    reply: Deleted,
    errors: ['not_found', 'conflict'],
  },
});
