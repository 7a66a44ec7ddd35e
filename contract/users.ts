import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import {
  change,
  Deleted,
  filter,
  Id,
  listQuery,
  page,
  stampFilters,
  stamps,
  strict,
  Timestamp,
} from './schema.ts';

export const Username = Type.String({ minLength: 1, maxLength: 255, pattern: '^\\S(.*\\S)?$' });
export const Password = Type.String({ minLength: 8, maxLength: 1024 });
const Email = Type.String({ maxLength: 320, pattern: '^[^\\s@]+@[^\\s@]+$' });
const Algorithm = Type.Optional(
  Type.Unsafe<'plain' | 'sha-256'>({ type: 'string', enum: ['plain', 'sha-256'] }),
);

export const User = Type.Object({
  ...stamps,
  username: Type.String(),
  email: Type.String(),
  isActive: Type.Boolean(),
  isAdmin: Type.Boolean({ description: 'Manages users; reads and deletes any project' }),
  isSuperUser: Type.Boolean({ description: 'May do everything' }),
});
export type User = Static<typeof User>;

export const UserProfile = Type.Object({ _id: Id, username: Type.String() });
export type UserProfile = Static<typeof UserProfile>;

const fields = { username: Username, email: Email, isAdmin: Type.Boolean() };

export const NewUser = strict({
  username: Username,
  password: Password,
  algorithm: Algorithm,
  email: Type.Optional(Type.Union([Email, Type.Literal('')])),
  isAdmin: Type.Optional(Type.Boolean()),
});
export type NewUser = Static<typeof NewUser>;

export const UserChange = change(
  {
    ...fields,
    email: Type.Union([Email, Type.Literal('')]),
    password: { ...Password, description: 'Replaces the password, as `PUT …/password` does' },
    oldPassword: Type.String({
      maxLength: 1024,
      description:
        'The current password, to change your own password, or your own email address with a session or a token older than an hour',
    }),
    algorithm: Algorithm,
  },
  { ...stamps, isActive: Type.Boolean(), isSuperUser: Type.Boolean() },
);
export type UserChange = Static<typeof UserChange>;

/** A link by which a user chooses a new password once. */
export const PasswordReset = Type.Object({
  token: Type.String({ description: 'The secret of the link, for `POST /password-reset`' }),
  link: Type.String({
    description: 'Page of the web interface; without the origin if the service does not know its address',
  }),
  expires: Timestamp,
});
export type PasswordReset = Static<typeof PasswordReset>;

export const UserListQuery = listQuery(
  ['username', 'email', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy', '_id'],
  {
    username: filter.label(),
    contains: filter.text(),
    email: filter.text(),
    ...stampFilters,
  },
);
export type UserListQuery = Static<typeof UserListQuery>;

export const UserProfileListQuery = listQuery(['username', '_id'], { username: filter.text() });
export type UserProfileListQuery = Static<typeof UserProfileListQuery>;

const tag = 'users';

export const userEndpoints = endpoints({
  getUserProfiles: {
    method: 'GET',
    path: '/user-profiles',
    tag,
    summary: 'List the IDs and names of the active users',
    access: 'user',
    accessTokens: 'unlimited',
    query: UserProfileListQuery,
    reply: page(UserProfile),
  },
  getUsers: {
    method: 'GET',
    path: '/users',
    tag,
    summary: 'List users; the complete list only for administrators; others see themselves',
    access: 'user',
    accessTokens: 'unlimited',
    query: UserListQuery,
    reply: page(User),
  },
  postUser: {
    method: 'POST',
    path: '/user',
    tag,
    summary: 'Create a user',
    access: 'admin',
    body: NewUser,
    reply: User,
    status: 201,
    errors: ['conflict'],
  },
  getUserWhoami: {
    method: 'GET',
    path: '/user/whoami',
    tag,
    summary: 'Get the caller',
    access: 'user',
    accessTokens: 'any',
    reply: User,
    alwaysWhole: true, // the reply differs per signed-in user, whose revisions may be equal
  },
  getUser: {
    method: 'GET',
    path: '/user/:userId',
    tag,
    summary: 'Get a user',
    access: 'selfOrAdmin',
    reply: User,
  },
  putUser: {
    method: 'PUT',
    path: '/user/:userId',
    tag,
    summary: 'Change the given fields',
    description:
      'Users may change their own email address: with the session of a browser, or a token older than an hour, they must also send `oldPassword`. Only administrators may change names, only super users `isAdmin`.',
    access: 'selfOrAdmin',
    body: UserChange,
    reply: User,
    errors: ['conflict', 'forbidden', 'precondition_failed', 'too_many_requests'],
  },
  deleteUser: {
    method: 'DELETE',
    path: '/user/:userId',
    tag,
    summary: 'Delete a user',
    description:
      'Everything the user created is kept. The last manager of a project and the last super user cannot be deleted.',
    access: 'admin',
    reply: Deleted,
    errors: ['precondition_failed', 'conflict', 'forbidden'],
  },
  putUserPassword: {
    method: 'PUT',
    path: '/user/:userId/password',
    tag,
    summary: 'Set a new password; revokes all tokens of the user',
    description:
      'Users who change their own password must also send `oldPassword`. Administrators cannot set the passwords of administrators, super users and project managers; super users can. Common passwords, and those that contain the username or the email address, are refused.',
    access: 'selfOrAdmin',
    body: strict({
      password: Password,
      oldPassword: Type.Optional(Type.String({ maxLength: 1024 })),
      algorithm: Algorithm,
    }),
    errors: ['forbidden', 'too_many_requests'],
  },
  postUserPasswordReset: {
    method: 'POST',
    path: '/user/:userId/password-reset',
    tag,
    summary: 'Create a link by which the user chooses a new password',
    description:
      'Works once, for 24 hours, and replaces an earlier link. The current password stays valid until the link is used. Links for administrators and super users can only be created by super users, and none for yourself.',
    access: 'admin',
    reply: PasswordReset,
    status: 201,
    shownOnce: true,
    errors: ['forbidden'],
  },
  postPasswordReset: {
    method: 'POST',
    path: '/password-reset',
    tag,
    summary: 'Set a new password by a link; revokes all tokens of the user',
    access: 'public',
    body: strict({
      token: Type.String({ minLength: 1, maxLength: 255 }),
      password: Password,
      algorithm: Algorithm,
    }),
    reply: Type.Object({ username: Type.String() }),
    status: 200,
    errors: ['not_found'],
  },
  putUserActive: {
    method: 'PUT',
    path: '/user/:userId/active',
    tag,
    summary: 'Activate or deactivate a user; deactivating revokes all tokens',
    access: 'admin',
    body: strict({ isActive: Type.Boolean() }),
    reply: User,
    errors: ['conflict', 'forbidden'],
  },
});
