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
} from './schema.ts';

export const credentialTypes = ['fs', 'ftp', 'sftp', 's3'] as const;
export type CredentialType = (typeof credentialTypes)[number];

const Folder = Type.String({ maxLength: 900, description: 'With / between folders, without . and ..' });
const Host = Type.String({
  minLength: 1,
  maxLength: 253,
  description: 'A name or an address; runners look at where it leads, as for addresses of the web',
});
const port = Type.Integer({ minimum: 1, maximum: 65_535 });

/** Where it leads, by the type. */
export const targetFields = {
  folder: Folder,
  host: Host,
  port,
  hostKey: Type.String({
    pattern: '^SHA256:[A-Za-z0-9+/]{43}$',
    description: 'As ssh-keygen -l shows it; no other host is spoken to. Absent: any',
  }),
  isSecure: Type.Boolean({ description: 'FTP by TLS; true unless said otherwise' }),
  endpoint: Type.String({
    maxLength: 500,
    description: 'Such as https://s3.example.org; absent: that of Amazon',
  }),
  region: Type.String({ pattern: '^[a-z\\d][a-z\\d-]{0,62}$' }),
  bucket: Type.String({ pattern: '^[a-zA-Z\\d][a-zA-Z\\d._-]{1,253}[a-zA-Z\\d]$' }),
  isPathStyle: Type.Boolean({
    description: 'The bucket is part of the path, not of the host; so unless said otherwise with an endpoint',
  }),
  prefix: Type.String({ maxLength: 900, description: 'A folder in the bucket' }),
};

const optional = Type.Optional;
const described = { name: Name, description: optional(Description) };
const loginCredentialId = optional({ ...Id, description: 'A login of yours, in the place of one in here' });
const { username, password, privateKey, passphrase, accessKeyId, secretAccessKey, sessionToken } =
  loginFields;

/** Each type with its own fields. */
export const newCredentials = {
  fs: strict({
    ...described,
    type: Type.Literal('fs'),
    folder: {
      ...Folder,
      minLength: 1,
      description: 'Below the one that the operator names, which no other project has',
    },
  }),
  sftp: strict({
    ...described,
    type: Type.Literal('sftp'),
    host: Host,
    port: optional({ ...port, description: '22 where it is absent' }),
    folder: { ...Folder, description: 'Absolute, or relative to where the login leads' },
    hostKey: optional(targetFields.hostKey),
    username: optional(username),
    password: optional(password),
    privateKey: optional(privateKey),
    passphrase: optional(passphrase),
    loginCredentialId,
  }),
  ftp: strict({
    ...described,
    type: Type.Literal('ftp'),
    host: Host,
    port: optional({ ...port, description: '21 where it is absent' }),
    folder: { ...Folder, description: 'Absolute, or relative to where the login leads' },
    isSecure: optional(targetFields.isSecure),
    username: optional(username),
    password: optional(password),
    loginCredentialId,
  }),
  s3: strict({
    ...described,
    type: Type.Literal('s3'),
    endpoint: optional(targetFields.endpoint),
    region: targetFields.region,
    bucket: targetFields.bucket,
    isPathStyle: optional(targetFields.isPathStyle),
    prefix: optional(targetFields.prefix),
    accessKeyId: optional(accessKeyId),
    secretAccessKey: optional(secretAccessKey),
    sessionToken: optional(sessionToken),
    loginCredentialId,
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
    description:
      'Whether there is something to sign in with; fs needs nothing. False where its login was deleted',
  }),
};
const facts = { ...loginFacts, loginCredentialId: optional(Type.String()) };

/** A place outside of the service to publish to. The fields are those of its type; what opens it is never told. */
export const Credential = Type.Object({
  name: Name,
  description: Description,
  type: oneOf(credentialTypes),
  ...Type.Partial(Type.Object(targetFields)).properties,
  ...facts,
  ...readOnly,
});
export type Credential = Static<typeof Credential>;

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()], { description: 'null: there is none any more' });

export const CredentialChange = change(
  {
    name: Name,
    description: Description,
    type: oneOf(credentialTypes, 'The one that it has'),
    ...targetFields,
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
    type: optional(Type.Array(oneOf(credentialTypes), { maxItems: 4 })),
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
    summary: 'Create credentials: a place to publish to, with what opens it',
    description:
      'The login stands in the body, or is one of your own by `loginCredentialId`. It is encrypted, and never told again.',
    access: { permission: 'editProject' },
    body: NewCredential,
    reply: Credential,
    status: 201,
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
    summary: 'Change the fields that are present',
    description:
      'Whoever has them lead to another server gives the login anew, so that nobody can have a secret sent to a server of theirs.',
    access: { permission: 'editProject' },
    body: CredentialChange,
    reply: Credential,
    errors: ['unusable_reference', 'unprocessable', 'conflict', 'precondition_failed'],
  },
  deleteProjectCredential: {
    method: 'DELETE',
    path,
    tag,
    summary: 'Delete credentials by which no task publishes; with `force` such tasks fail from then on',
    access: { permission: 'editProject' },
    query: strict({ force: optional(Type.Boolean()) }),
    reply: Deleted,
    errors: ['precondition_failed', 'conflict'],
  },
});
