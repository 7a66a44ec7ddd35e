import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Deleted, filter, Id, listQuery, Name, oneOf, page, strict, Timestamp } from './schema.ts';

export const tokenScopes = ['read', 'write'] as const;
export const tokenRoles = ['projectMember', 'projectManager'] as const;

const fields = {
  name: { ...Name, description: 'What the token is for' },
  scope: oneOf(tokenScopes, 'read: only GET and HEAD · write: all methods'),
};

const described = {
  _id: Id,
  ...fields,
  createdAt: Timestamp,
  createdBy: Type.String(),
  lastUsedAt: Type.Optional({ ...Timestamp, description: 'To the minute; absent if it has never been used' }),
  expires: Type.Optional({ ...Timestamp, description: 'Absent if it has no end' }),
};

/** A token of a person for scripts. */
export const AccessToken = Type.Object({
  ...described,
  projectId: Type.Optional(
    Type.String({ description: 'The only project that it may be used in; absent: all projects of the user' }),
  ),
});
export type AccessToken = Static<typeof AccessToken>;

/** A token that belongs to a project and to no person. */
export const ProjectToken = Type.Object({
  ...described,
  userId: Type.String({ description: 'Stands for the token as `createdBy` and `updatedBy`' }),
  roleId: oneOf(tokenRoles, 'Its role in the project'),
});
export type ProjectToken = Static<typeof ProjectToken>;

/** What a token of a project is called, also after its end. */
export const ProjectTokenName = Type.Object({
  userId: Type.String({ description: 'Stands for the token as `createdBy` and `updatedBy`' }),
  name: Type.String(),
});
export type ProjectTokenName = Static<typeof ProjectTokenName>;

/** Longest life of a token that can be asked for, in days. */
export const maxTokenDays = 3650;
export const defaultTokenDays = 90;

const secret = { token: Type.String({ description: 'The secret; it is shown only once' }) };

const requested = {
  name: fields.name,
  scope: Type.Optional({ ...fields.scope, default: 'read' }),
  lifetimeDays: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxTokenDays,
      default: defaultTokenDays,
      description: 'Days until it ends; 0: no end, where the operator allows it',
    }),
  ),
  oldPassword: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'Your password; not needed with a token from `POST /login` of the last hour',
    }),
  ),
  algorithm: Type.Optional(oneOf(['plain', 'sha-256'])),
};

const NewAccessToken = strict({
  ...requested,
  projectId: Type.Optional({ ...Id, description: 'Limits the token to this project' }),
});
export type NewAccessToken = Static<typeof NewAccessToken>;

const NewProjectToken = strict({ ...requested, roleId: oneOf(tokenRoles, 'Its role in the project') });
export type NewProjectToken = Static<typeof NewProjectToken>;

export const AccessTokenListQuery = listQuery(['createdAt', 'name', 'lastUsedAt', 'expires'], {
  name: filter.text(),
});
export type AccessTokenListQuery = Static<typeof AccessTokenListQuery>;

export const TokenNameListQuery = listQuery(['name'], { name: filter.text() });
export type TokenNameListQuery = Static<typeof TokenNameListQuery>;

const tag = 'login';
const ofProject = '/project/:projectId/access-token';

export const accessTokenEndpoints = endpoints({
  getUserAccessTokens: {
    method: 'GET',
    path: '/user/access-tokens',
    tag,
    summary: 'List your access tokens',
    access: 'user',
    query: AccessTokenListQuery,
    reply: page(AccessToken),
  },
  postUserAccessToken: {
    method: 'POST',
    path: '/user/access-token',
    tag,
    summary: 'Create an access token for your scripts',
    description:
      'Access tokens can be used in projects, not for users, passwords, roles, tokens or the administration of the service.',
    access: 'user',
    body: NewAccessToken,
    reply: Type.Object({ ...AccessToken.properties, ...secret }),
    status: 201,
    shownOnce: true,
    errors: ['unusable_reference', 'too_many_requests', 'conflict'],
  },
  deleteUserAccessToken: {
    method: 'DELETE',
    path: '/user/access-token/:accessTokenId',
    tag,
    summary: 'Revoke one of your access tokens',
    access: 'user',
    reply: Deleted,
    errors: ['not_found'],
  },
  getProjectAccessTokens: {
    method: 'GET',
    path: '/project/:projectId/access-tokens',
    tag,
    summary: 'List the access tokens of the project',
    access: { permission: 'getACL' },
    query: AccessTokenListQuery,
    reply: page(ProjectToken),
  },
  getProjectAccessTokenNames: {
    method: 'GET',
    path: '/project/:projectId/access-token-names',
    tag,
    summary: 'List the names of all access tokens that the project has or had',
    description: 'They tell who has made a resource after its token was revoked.',
    access: { permission: 'getProject' },
    query: TokenNameListQuery,
    reply: page(ProjectTokenName),
  },
  postProjectAccessToken: {
    method: 'POST',
    path: ofProject,
    tag,
    summary: 'Create an access token that belongs to the project',
    description:
      'It stays valid when people leave. It may do what its role may, except to manage members and tokens.',
    access: { permission: 'grantRole' },
    body: NewProjectToken,
    reply: Type.Object({ ...ProjectToken.properties, ...secret }),
    status: 201,
    shownOnce: true,
    errors: ['too_many_requests', 'conflict'],
  },
  deleteProjectAccessToken: {
    method: 'DELETE',
    path: `${ofProject}/:accessTokenId`,
    tag,
    summary: 'Revoke an access token of the project',
    access: { permission: 'revokeRole' },
    reply: Deleted,
    errors: ['not_found'],
  },
});
