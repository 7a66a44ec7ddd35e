import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { loginFacts, loginFields } from './login-credentials.ts';
import {
  change,
  Deleted,
  Description,
  filter,
  Id,
  listQuery,
  Name,
  oneOf,
  page,
  stampFilters,
  stamps,
  strict,
  someOf,
} from './schema.ts';

export const credentialTypes = ['fs', 'ftp', 'sftp', 's3'] as const;
export type CredentialType = (typeof credentialTypes)[number];

const Folder = Type.String({ maxLength: 900, description: 'Folders separated by /, without . and ..' });
const Host = Type.String({
  minLength: 1,
  maxLength: 253,
  description: 'Host name or IP address; runners check it against the same address rules as web addresses',
});
const port = Type.Integer({ minimum: 1, maximum: 65_535 });

/** Destination fields by credential type. */
export const targetFields = {
  folder: Folder,
  host: Host,
  port,
  hostKey: Type.String({
    pattern: '^SHA256:[A-Za-z0-9+/]{43}$',
    description:
      'Fingerprint as shown by ssh-keygen -l; connections to hosts with another key are refused. Absent: any key is accepted',
  }),
  isSecure: Type.Boolean({ description: 'FTP over TLS; default true' }),
  endpoint: Type.String({
    maxLength: 500,
    description: 'For example https://s3.example.org; default: Amazon S3',
  }),
  region: Type.String({ pattern: '^[a-z\\d][a-z\\d-]{0,62}$' }),
  bucket: Type.String({ pattern: '^[a-zA-Z\\d][a-zA-Z\\d._-]{1,253}[a-zA-Z\\d]$' }),
  isPathStyle: Type.Boolean({
    description:
      'Path-style access: the bucket is part of the path, not of the host name; default true with an endpoint',
  }),
  prefix: Type.String({ maxLength: 900, description: 'A folder in the bucket' }),
};

const optional = Type.Optional;
const gzip = Type.Boolean({ description: 'Whether publications compress text files by default' });
const params = Type.Array(Type.String({ maxLength: 1000 }), {
  maxItems: 100,
  description: 'Kept for clients; not used',
});
const described = { name: Name, description: optional(Description), gzip: optional(gzip) };
const loginCredentialId = optional({
  ...Id,
  description: 'One of your login credentials, instead of a login in this body',
});

/** Other names of fields. */
const aliases = {
  defaultPath: Type.String({
    maxLength: 900,
    description: 'The same as `folder`, or as `prefix` of the type s3',
  }),
  loginId: Type.String({ minLength: 1, maxLength: 64, description: 'The same as `loginCredentialId`' }),
  noTLS: Type.Boolean({ description: 'The opposite of `isSecure`' }),
};
const defaultPath = optional(aliases.defaultPath);
const login = { loginCredentialId, loginId: optional(aliases.loginId) };
const { username, password, privateKey, passphrase, accessKeyId, secretAccessKey, sessionToken } =
  loginFields;

const serverFolder = {
  ...Folder,
  description: 'Absolute, or relative to the home folder of the login; default: that folder',
};

/** The fields of new credentials by type, each under one of its names. */
export const newCredentials = {
  fs: strict({
    ...described,
    type: Type.Literal('fs'),
    folder: optional({
      ...Folder,
      minLength: 1,
      description: 'Below the folder that the operator assigned to this project; required',
    }),
    defaultPath,
  }),
  sftp: strict({
    ...described,
    type: Type.Literal('sftp'),
    host: Host,
    port: optional({ ...port, description: 'Default 22' }),
    folder: optional(serverFolder),
    defaultPath,
    hostKey: optional(targetFields.hostKey),
    username: optional(username),
    password: optional(password),
    privateKey: optional(privateKey),
    passphrase: optional(passphrase),
    ...login,
  }),
  ftp: strict({
    ...described,
    type: Type.Literal('ftp'),
    host: Host,
    port: optional({ ...port, description: 'Default 21' }),
    folder: optional(serverFolder),
    defaultPath,
    isSecure: optional(targetFields.isSecure),
    noTLS: optional(aliases.noTLS),
    username: optional(username),
    password: optional(password),
    ...login,
  }),
  s3: strict({
    ...described,
    type: Type.Literal('s3'),
    endpoint: optional(targetFields.endpoint),
    region: optional({ ...targetFields.region, description: 'Default us-east-1' }),
    bucket: optional({ ...targetFields.bucket, description: 'Required' }),
    host: optional({ ...targetFields.bucket, description: 'The same as `bucket`' }),
    isPathStyle: optional(targetFields.isPathStyle),
    prefix: optional(targetFields.prefix),
    defaultPath,
    params: optional(params),
    accessKeyId: optional(accessKeyId),
    secretAccessKey: optional(secretAccessKey),
    sessionToken: optional(sessionToken),
    ...login,
  }),
} as const;

export type NewCredential = Static<(typeof newCredentials)[CredentialType]>;
export const NewCredential = Type.Unsafe<NewCredential>({
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: Object.values(newCredentials),
});

const readOnly = {
  ...stamps,
  projectId: Id,
  hasLogin: Type.Boolean({
    description: 'Whether a login is available; fs needs none. False if the login was deleted',
  }),
};
const facts = { ...loginFacts, loginCredentialId: optional(Type.String()) };

/** A publishing destination outside the service, with the fields of its type. Secrets are never returned. */
export const Credential = Type.Object({
  name: Name,
  description: Description,
  type: oneOf(credentialTypes),
  ...Type.Partial(Type.Object(targetFields)).properties,
  host: Type.Optional(
    Type.String({ description: 'Name or address of the server; the bucket of the type s3' }),
  ),
  gzip,
  params: Type.Optional(params),
  defaultPath: aliases.defaultPath,
  loginId: Type.Optional(aliases.loginId),
  noTLS: Type.Optional(aliases.noTLS),
  ...facts,
  ...readOnly,
});
export type Credential = Static<typeof Credential>;

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()], { description: 'null removes it' });

export const CredentialChange = change(
  {
    name: Name,
    description: Description,
    type: oneOf(credentialTypes, 'Must be the current type'),
    ...targetFields,
    gzip,
    params,
    ...aliases,
    loginId: orNull(aliases.loginId),
    hostKey: orNull(targetFields.hostKey),
    endpoint: orNull(targetFields.endpoint),
    username,
    password: orNull(password),
    privateKey: orNull(privateKey),
    passphrase: orNull(passphrase),
    accessKeyId,
    secretAccessKey,
    sessionToken: orNull(sessionToken),
    loginCredentialId: orNull(Id),
  },
  { ...readOnly, ...facts },
);
export type CredentialChange = Static<typeof CredentialChange>;

export const CredentialListQuery = listQuery(
  ['name', 'description', 'type', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy', '_id'],
  {
    name: filter.text(),
    description: filter.text(),
    type: someOf(oneOf(credentialTypes), 4),
    gzip: optional(Type.Boolean()),
    defaultPath: filter.exact(),
    host: filter.exact(),
    loginId: filter.exact(),
    noTLS: optional(Type.Boolean()),
    endpoint: filter.exact(),
    region: filter.exact(),
    params: filter.label(),
    ...stampFilters,
  },
);
export type CredentialListQuery = Static<typeof CredentialListQuery>;

const tag = 'credentials';
const path = '/project/:projectId/credential/:credentialId';

export const credentialEndpoints = endpoints({
  postProjectCredential: {
    method: 'POST',
    path: '/project/:projectId/credential',
    tag,
    summary: 'Create credentials: a publishing destination with its login',
    description:
      'The login is given in the body or is one of your own, named by `loginCredentialId`. It is stored encrypted and never returned.',
    access: { permission: 'editProject' },
    body: NewCredential,
    reply: Credential,
    errors: ['unusable_reference', 'unprocessable', 'conflict'],
  },
  getProjectCredentials: {
    method: 'GET',
    path: '/project/:projectId/credentials',
    tag,
    summary: 'List the credentials of a project, without their secrets',
    access: { permission: 'getCredentials' },
    query: CredentialListQuery,
    reply: page(Credential),
  },
  getProjectCredential: {
    method: 'GET',
    path,
    tag,
    summary: 'Get credentials, without their secrets',
    access: { permission: 'getCredentials' },
    reply: Credential,
  },
  putProjectCredential: {
    method: 'PUT',
    path,
    tag,
    summary: 'Change the given fields',
    description:
      'Changing the server requires the login to be given again, so that no one can have a stored secret sent to their own server.',
    access: { permission: 'editProject' },
    body: CredentialChange,
    reply: Credential,
    errors: ['unusable_reference', 'unprocessable', 'conflict', 'precondition_failed'],
  },
  deleteProjectCredential: {
    method: 'DELETE',
    path,
    tag,
    summary: 'Delete credentials; if tasks use them, only with `force`, and those tasks fail from then on',
    access: { permission: 'editProject' },
    query: strict({ force: optional(Type.Boolean()) }),
    reply: Type.Object({ ...Credential.properties, ...Deleted.properties }),
    errors: ['precondition_failed', 'conflict'],
  },
});
