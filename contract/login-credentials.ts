import { Type, type Static, type TProperties } from 'typebox';
import { endpoints } from './endpoint.ts';
import {
  change,
  Deleted,
  Description,
  filter,
  listQuery,
  Name,
  oneOf,
  page,
  stampFilters,
  stamps,
  strict,
  someOf,
} from './schema.ts';

/** A user name without line breaks, which would end the line in text protocols. */
export const Username = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\u0000-\\u001f\\u007f]+$',
});
const secret = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description: `${description}; never returned by the service` });

const secretLine = (description: string) => ({
  ...secret(1024, description),
  pattern: '^[^\\u0000\\r\\n]+$',
});

/** The secret fields of a login: write-only. */
export const loginFields = {
  username: Username,
  password: secretLine('Password of the user'),
  privateKey: secret(
    20_000,
    'Key as written by ssh-keygen: OpenSSH format, or PEM of RSA or EC keys (“RSA PRIVATE KEY”, “EC PRIVATE KEY”)',
  ),
  passphrase: secretLine('Passphrase of the private key'),
  accessKeyId: Type.String({ pattern: '^[\\w+=,.@-]{1,128}$' }),
  secretAccessKey: secretLine('Secret of the access key'),
  sessionToken: secret(4096, 'Session token of a temporary access key'),
};

/** The readable fields of a login. */
export const loginFacts = {
  username: Type.Optional(Type.String()),
  accessKeyId: Type.Optional(Type.String()),
  hasPassword: Type.Optional(Type.Boolean()),
  hasPrivateKey: Type.Optional(Type.Boolean()),
  hasPassphrase: Type.Optional(Type.Boolean()),
  hasSecretAccessKey: Type.Optional(Type.Boolean()),
  hasSessionToken: Type.Optional(Type.Boolean()),
  keyFingerprint: Type.Optional(
    Type.String({ description: 'Fingerprint of the private key as shown by ssh-keygen -l: SHA256:…' }),
  ),
};
export const LoginFacts = Type.Object(loginFacts);
export type LoginFacts = Static<typeof LoginFacts>;

export const loginTypes = ['aws', 'userPassword', 'sshKey'] as const;
export type LoginType = (typeof loginTypes)[number];

const described = { name: Name, description: Type.Optional(Description) };

/** Other names of fields, which are the same for all types. */
const aliases = {
  access: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'The same as `username`, or as `accessKeyId` of the type aws',
  }),
  secret: secret(20_000, 'The same as `password`, `privateKey` or `secretAccessKey`'),
};
const { username, password, privateKey, passphrase, accessKeyId, secretAccessKey, sessionToken } =
  Type.Partial(Type.Object(loginFields)).properties;
const fieldsOf = <P extends TProperties>(fields: P) => ({
  ...described,
  ...fields,
  ...Type.Partial(Type.Object(aliases)).properties,
});

/** The fields of new logins by type, each under one of its names. */
export const newLogins = {
  aws: strict(fieldsOf({ type: Type.Literal('aws'), accessKeyId, secretAccessKey, sessionToken })),
  userPassword: strict(fieldsOf({ type: Type.Literal('userPassword'), username, password })),
  sshKey: strict(fieldsOf({ type: Type.Literal('sshKey'), username, privateKey, passphrase })),
} as const;

export type NewLoginCredential = Static<(typeof newLogins)[LoginType]>;
export const NewLoginCredential = Type.Unsafe<NewLoginCredential>({
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: Object.values(newLogins),
});

const facts = {
  ...stamps,
  userId: Type.String({ description: 'Owner' }),
  type: oneOf(loginTypes),
};

/** A login of a user at another server. Super users see only the names of logins of others. */
export const LoginCredential = Type.Object({
  name: Name,
  description: Description,
  ...facts,
  ...loginFacts,
  access: Type.Optional(aliases.access),
});
export type LoginCredential = Static<typeof LoginCredential>;

const removable = <T extends keyof typeof loginFields>(name: T) =>
  Type.Union([loginFields[name], Type.Null()], { description: 'null removes it' });

export const LoginCredentialChange = change(
  {
    name: Name,
    description: Description,
    ...loginFields,
    ...aliases,
    passphrase: removable('passphrase'),
    sessionToken: removable('sessionToken'),
  },
  { ...facts, ...loginFacts },
);
export type LoginCredentialChange = Static<typeof LoginCredentialChange>;

export const LoginCredentialListQuery = listQuery(
  ['name', 'type', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy', '_id'],
  {
    name: filter.text(),
    description: filter.text(),
    type: someOf(oneOf(loginTypes), 3),
    access: filter.exact(),
    ...stampFilters,
  },
);
export type LoginCredentialListQuery = Static<typeof LoginCredentialListQuery>;

const tag = 'credentials';
const path = '/login-credential/:loginCredentialId';

export const loginCredentialEndpoints = endpoints({
  postLoginCredential: {
    method: 'POST',
    path: '/login-credential',
    tag,
    summary: 'Store a login for another server, to use in credentials of projects',
    description:
      'Stored encrypted; the secret is never returned. Only you can see the login and assign it to credentials. A user has at most 100.',
    access: 'user',
    body: NewLoginCredential,
    reply: LoginCredential,
    status: 201,
    errors: ['unprocessable', 'conflict', 'too_many_requests'],
  },
  getLoginCredentials: {
    method: 'GET',
    path: '/login-credentials',
    tag,
    summary: 'List your logins; super users also see the names of others’ logins',
    access: 'user',
    query: LoginCredentialListQuery,
    reply: page(LoginCredential),
  },
  getLoginCredential: {
    method: 'GET',
    path,
    tag,
    summary: 'Get one of your logins, without its secret',
    access: 'user',
    reply: LoginCredential,
  },
  putLoginCredential: {
    method: 'PUT',
    path,
    tag,
    summary: 'Change the given fields, for all credentials that use the login',
    access: 'user',
    body: LoginCredentialChange,
    reply: LoginCredential,
    errors: ['precondition_failed', 'too_many_requests'],
  },
  deleteLoginCredential: {
    method: 'DELETE',
    path,
    tag,
    summary: 'Delete a login; if credentials use it, only with `force`, and they have no login from then on',
    access: 'user',
    query: strict({ force: Type.Optional(Type.Boolean()) }),
    reply: Deleted,
    errors: ['precondition_failed', 'conflict', 'too_many_requests'],
  },
});
