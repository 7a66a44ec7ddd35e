import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Deleted, Id, listQuery, oneOf, page, Timestamp } from './schema.ts';

export const Credentials = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: 255 }),
    password: Type.String({ minLength: 1, maxLength: 1024 }),
    algorithm: Type.Optional(
      oneOf(['plain', 'sha-256'], 'sha-256: the password is sent as its SHA-256 in hexadecimal'),
    ),
  },
  { additionalProperties: false },
);
export type Credentials = Static<typeof Credentials>;

export const LoginResult = Type.Object({
  _id: Id,
  token: Type.String({ description: 'Bearer token' }),
  tokenExpires: Timestamp,
});
export type LoginResult = Static<typeof LoginResult>;

/** A session of the web interface; its secret is in a cookie that scripts cannot read. */
export const Session = Type.Object({ _id: Id, username: Type.String(), expires: Timestamp });
export type Session = Static<typeof Session>;

/** A login of the caller: a session of the web interface, or a token of a script. */
export const UserSession = Type.Object({
  _id: Id,
  kind: oneOf(['session', 'bearer'], 'session: the web interface · bearer: a token from POST /login'),
  createdAt: Timestamp,
  lastSeenAt: { ...Timestamp, description: 'When it was last used, to the minute' },
  expires: { ...Timestamp, description: 'When it ends unless it is used' },
  ends: { ...Timestamp, description: 'When it ends, however much it is used' },
  address: Type.String({ description: 'Network address of the login' }),
  userAgent: Type.String({ description: 'The browser or program, as it names itself' }),
  isCurrent: Type.Boolean({ description: 'The login of this request' }),
});
export type UserSession = Static<typeof UserSession>;

export const UserSessionListQuery = listQuery(['createdAt', 'lastSeenAt'], {});
export type UserSessionListQuery = Static<typeof UserSessionListQuery>;

const tag = 'login';

export const loginEndpoints = endpoints({
  postLogin: {
    method: 'POST',
    path: '/login',
    tag,
    summary: 'Sign in and get a bearer token',
    access: 'public',
    body: Credentials,
    bodyKind: 'jsonOrForm',
    reply: LoginResult,
    errors: ['unauthenticated', 'too_many_requests'],
  },
  getLogout: {
    method: 'GET',
    path: '/logout',
    tag,
    summary: 'Invalidate the token of this request',
    access: 'user',
    reply: Type.Object({}),
    status: 201,
  },
  getLogoutAll: {
    method: 'GET',
    path: '/logout-all',
    tag,
    summary: 'Invalidate all tokens and sessions of the caller',
    access: 'user',
    reply: Type.Object({}),
    status: 201,
  },
  postSession: {
    method: 'POST',
    path: '/session',
    tag,
    summary: 'Sign in with a cookie (for the web interface)',
    access: 'public',
    body: Credentials,
    reply: Session,
    status: 201,
    errors: ['unauthenticated', 'too_many_requests', 'forbidden'],
  },
  getSession: {
    method: 'GET',
    path: '/session',
    tag,
    summary: 'Get the user of this session',
    access: 'user',
    reply: Session,
  },
  deleteSession: {
    method: 'DELETE',
    path: '/session',
    tag,
    summary: 'Sign out',
    access: 'user',
  },
  getUserSessions: {
    method: 'GET',
    path: '/user/sessions',
    tag,
    summary: 'List your sessions and tokens',
    access: 'user',
    query: UserSessionListQuery,
    reply: page(UserSession),
  },
  deleteUserSession: {
    method: 'DELETE',
    path: '/user/session/:sessionId',
    tag,
    summary: 'End one of your sessions, or revoke one of your tokens',
    access: 'user',
    reply: Deleted,
    errors: ['not_found'],
  },
  deleteUserSessions: {
    method: 'DELETE',
    path: '/user/sessions',
    tag,
    summary: 'End all your sessions and revoke all your tokens, except that of this request',
    access: 'user',
    reply: Deleted,
  },
});
