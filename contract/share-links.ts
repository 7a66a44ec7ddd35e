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
    description: 'current: the same as the app; draft: the draft; or the ID of a release',
  }),
  allowedOrigins: Type.Array(Origin, {
    maxItems: 50,
    description: 'Origins whose pages may embed it, in addition to this service; * allows any',
  }),
};

const ExpiresAt = { ...Timestamp, description: 'Expiry date' };
const MaxUses = Type.Integer({
  minimum: 1,
  maximum: 1_000_000_000,
  description:
    'Maximum number of visits; a visit ends an hour after its last request, and at the latest after a day',
});
const Password = Type.String({
  minLength: 8,
  maxLength: 1024,
  description: 'Password that visitors must enter; never returned',
});

/** Null removes the value. */
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
  useCount: Type.Integer({ description: 'Number of visits so far' }),
  lastUsedAt: Type.Optional({ ...Timestamp, description: 'Time of the last visit' }),
  hasEnded: Type.Boolean({ description: 'Whether it is expired or has no visits left' }),
  url: Type.Optional(Type.String({ description: 'Only in the response to its creation' })),
};

/** A secret URL through which people without an account can see one app. */
export const ShareLink = Type.Object({
  ...fields,
  expiresAt: Type.Optional(ExpiresAt),
  maxUses: Type.Optional(MaxUses),
  ...serviceSet,
});
export type ShareLink = Static<typeof ShareLink>;

/** The URL is returned only here, since the service stores only its SHA-256. */
export const CreatedShareLink = Type.Object({
  ...ShareLink.properties,
  url: Type.String({
    description:
      'Gives access to the app to anyone who has it. Returned only once; a path unless apps have their own origin',
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
    summary: 'Create a share link, for people without an account',
    description:
      'The link never gives access to more than the principal of the app may read at that moment. The URL is returned only once.',
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
    summary: 'List the share links of the app, without their URLs',
    access: { permission: 'setAppPublic' },
    query: ShareLinkListQuery,
    reply: page(ShareLink),
  },
  getProjectAppShareLink: {
    method: 'GET',
    path: `${path}/share-link/:shareLinkId`,
    tag,
    summary: 'Get a share link, without its URL',
    access: { permission: 'setAppPublic' },
    reply: ShareLink,
    alwaysWhole: true,
  },
  putProjectAppShareLink: {
    method: 'PUT',
    path: `${path}/share-link/:shareLinkId`,
    tag,
    summary: 'Change the given fields; a new password ends all visits',
    access: { permission: 'setAppPublic' },
    body: ShareLinkChange,
    reply: ShareLink,
    errors: ['unusable_reference', 'precondition_failed'],
  },
  deleteProjectAppShareLink: {
    method: 'DELETE',
    path: `${path}/share-link/:shareLinkId`,
    tag,
    summary: 'Delete a share link and end all its visits, effective immediately',
    access: { permission: 'setAppPublic' },
    reply: Deleted,
    errors: ['precondition_failed'],
  },
});
