import { Type, type Static } from 'typebox';
import { Origin } from './apps.ts';
import { endpoints } from './endpoint.ts';
import {
  change,
  Deleted,
  filter,
  Id,
  listQuery,
  Name,
  page,
  stampFilters,
  stamps,
  strict,
  Timestamp,
} from './schema.ts';

const fields = {
  name: Name,
  shows: Type.String({
    minLength: 1,
    maxLength: 64,
    description:
      'current: what the app shows to whoever may see it; draft: what its modules are now; or the id of a release of it',
  }),
  allowedOrigins: Type.Array(Origin, {
    maxItems: 50,
    description: 'Whose pages may show it in a frame, besides this service; * for anyone’s',
  }),
};

const ExpiresAt = { ...Timestamp, description: 'From then on it opens nothing' };
const MaxUses = Type.Integer({
  minimum: 1,
  maximum: 1_000_000_000,
  description: 'So many visits it opens; a visit ends an hour after its last request, and after a day',
});
const Password = Type.String({
  minLength: 8,
  maxLength: 1024,
  description: 'What visitors must type in; never shown again',
});

/** Null takes it away. */
const orNone = {
  expiresAt: Type.Optional(Type.Union([ExpiresAt, Type.Null()])),
  maxUses: Type.Optional(Type.Union([MaxUses, Type.Null()])),
  password: Type.Optional(Type.Union([Password, Type.Null()])),
};

const serviceSet = {
  ...stamps,
  projectId: Id,
  appId: Id,
  hasPassword: Type.Boolean(),
  useCount: Type.Integer({ description: 'How many visits it has opened' }),
  lastUsedAt: Type.Optional({ ...Timestamp, description: 'When it opened the last one' }),
  hasEnded: Type.Boolean({ description: 'It opens no visit now: it has expired, or all its uses are up' }),
  url: Type.Optional(Type.String({ description: 'In the reply to its creation alone' })),
};

/** An address by which people without a login see one app. */
export const ShareLink = Type.Object({
  ...fields,
  expiresAt: Type.Optional(ExpiresAt),
  maxUses: Type.Optional(MaxUses),
  ...serviceSet,
});
export type ShareLink = Static<typeof ShareLink>;

/** With the address: only its SHA-256 is kept, so it cannot be told again. */
export const CreatedShareLink = Type.Object({
  ...ShareLink.properties,
  url: Type.String({
    description:
      'Whoever has it sees the app. Shown this once; a path unless apps have an origin of their own',
  }),
});
export type CreatedShareLink = Static<typeof CreatedShareLink>;

export const NewShareLink = strict({
  ...Type.Partial(Type.Object(fields)).properties,
  name: Name,
  ...orNone,
});
export type NewShareLink = Static<typeof NewShareLink>;

export const ShareLinkChange = change({ ...fields, ...orNone }, serviceSet);
export type ShareLinkChange = Static<typeof ShareLinkChange>;

export const ShareLinkListQuery = listQuery(
  ['name', 'expiresAt', 'useCount', 'lastUsedAt', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy', '_id'],
  { name: filter.text(), shows: filter.exact(), ...stampFilters },
);
export type ShareLinkListQuery = Static<typeof ShareLinkListQuery>;

const path = '/project/:projectId/app/:appId';
const tag = 'apps';

export const shareLinkEndpoints = endpoints({
  postProjectAppShareLink: {
    method: 'POST',
    path: `${path}/share-link`,
    tag,
    summary: 'Make an address by which people without a login see the app',
    description:
      'Never more than the user with whose permissions the app reads may read at that moment. The address is shown this once.',
    access: { permission: 'setAppPublic' },
    body: NewShareLink,
    reply: CreatedShareLink,
    status: 201,
    shownOnce: true,
    errors: ['unusable_reference'],
  },
  getProjectAppShareLinks: {
    method: 'GET',
    path: `${path}/share-links`,
    tag,
    summary: 'List the share links of the app, without their addresses',
    access: { permission: 'setAppPublic' },
    query: ShareLinkListQuery,
    reply: page(ShareLink),
  },
  getProjectAppShareLink: {
    method: 'GET',
    path: `${path}/share-link/:shareLinkId`,
    tag,
    summary: 'Get a share link, without its address',
    access: { permission: 'setAppPublic' },
    reply: ShareLink,
    alwaysWhole: true,
  },
  putProjectAppShareLink: {
    method: 'PUT',
    path: `${path}/share-link/:shareLinkId`,
    tag,
    summary: 'Change the fields that are present; another password ends all visits',
    access: { permission: 'setAppPublic' },
    body: ShareLinkChange,
    reply: ShareLink,
    errors: ['unusable_reference', 'precondition_failed'],
  },
  deleteProjectAppShareLink: {
    method: 'DELETE',
    path: `${path}/share-link/:shareLinkId`,
    tag,
    summary: 'Close a share link, and all visits that it has opened, at once',
    access: { permission: 'setAppPublic' },
    reply: Deleted,
    errors: ['precondition_failed'],
  },
});
