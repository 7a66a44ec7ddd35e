import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { filter, Id, listQuery, page, strict, Timestamp } from './schema.ts';

/** A user with their role in a project. */
export const Member = Type.Object({
  _id: Id,
  username: Type.String(),
  email: Type.String(),
  roleId: Id,
  role: Type.Object({ _id: Id, name: Type.String(), permissions: Type.Array(Type.String()) }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  createdBy: Type.String(),
  updatedBy: Type.String(),
});
export type Member = Static<typeof Member>;

export const MemberListQuery = listQuery(['username', 'createdAt', 'updatedAt', '_id'], {
  username: filter.text(),
  roleId: filter.exact(),
});
export type MemberListQuery = Static<typeof MemberListQuery>;

const tag = 'members';

export const memberEndpoints = endpoints({
  getProjectUsers: {
    method: 'GET',
    path: '/project/:projectId/users',
    tag,
    summary: 'List the users assigned to a project, with their roles',
    access: { permission: 'getUser' },
    query: MemberListQuery,
    reply: page(Member),
  },
  putProjectUser: {
    method: 'PUT',
    path: '/project/:projectId/user/:userId',
    tag,
    summary: 'Assign a user to a project with a role',
    access: { permission: 'grantRole' },
    body: strict({ roleId: Id }),
    errors: ['unusable_reference', 'conflict'],
  },
  deleteProjectUser: {
    method: 'DELETE',
    path: '/project/:projectId/user/:userId',
    tag,
    summary: 'Remove a user from a project',
    description: 'With `purge`, guest access to the apps of the project is revoked in the same operation.',
    access: { permission: 'revokeRole' },
    query: strict({ purge: Type.Optional(Type.Boolean()) }),
    errors: ['conflict'],
  },
});
