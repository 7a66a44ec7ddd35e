import { Type, type Static } from 'typebox';
import { ChosenBaseMaps } from './base-maps.ts';
import { endpoints } from './endpoint.ts';
import { Grant, PrincipalListQuery } from './iam.ts';
import { Warnings } from './error.ts';
import { ForMember, Module } from './modules.ts';
import {
  change,
  Deleted,
  Description,
  filter,
  FreeForm,
  Id,
  listQuery,
  Name,
  page,
  stampFilters,
  stamps,
  strict,
  Timestamp,
} from './schema.ts';
import { ToolName, toolNames } from './tools.ts';

/** A web origin such as `https://www.city.example`: scheme, host and optional port. */
export const Origin = Type.String({
  pattern: '^(?:\\*|https?://(?:\\*\\.)?[a-z\\d](?:[a-z\\d.-]*[a-z\\d])?(?::\\d{1,5})?)$',
  maxLength: 300,
});

export const maxSlugLength = 60;

/**
 * A slug may not look like an id (26 characters, no hyphen): the id of an app in the trash would lead to another app.
 */
const Slug = Type.String({
  pattern: `^(?=.{3,${maxSlugLength}}$)(?![a-z\\d]{26}$)[a-z\\d]+(?:-[a-z\\d]+)*$`,
  description: 'Name of the app in its URL, /app/{slug}/; unique within the service',
});

const fields = {
  name: Name,
  description: Description,
  mapVersion: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'Semver range; the newest installed map viewer in this range shows the app',
  }),
  moduleIds: Type.Array(Id, { maxItems: 1000, description: 'Ordered; later modules override earlier ones' }),
  baseMaps: ChosenBaseMaps,
  properties: FreeForm,
  frameOrigins: Type.Array(Origin, {
    maxItems: 50,
    description: 'Origins whose pages may embed the app, in addition to this service; * allows any',
  }),
  tools: Type.Array(ToolName, {
    maxItems: toolNames.length,
    uniqueItems: true,
    description: 'Tools that the map offers; those that its map viewer does not support are left out',
  }),
};

/** Null removes the slug. */
const slug = Type.Optional(Type.Union([Slug, Type.Null()]));
const newSlug = Type.Optional(
  Type.Union([Slug, Type.Null()], {
    description: 'Null: none. Absent: made from the name in Latin letters, with a number if it is taken',
  }),
);

const serviceSet = {
  ...stamps,
  projectId: Id,
  publishTaskIds: Type.Array(Id),
  isPublic: Type.Boolean({ description: 'Whether the app is public' }),
  memberId: Type.String({
    description: 'The user whose permissions the app uses to read modules and data; checked at each request',
  }),
  releaseId: Type.Optional(Type.String({ description: 'The current release; absent: the draft is shown' })),
  publicFrom: Type.Optional({ ...Timestamp, description: 'When the app becomes public' }),
  publicReleaseId: Type.Optional(
    Type.String({
      description: 'The release shown from `publicFrom` on; empty: the draft',
    }),
  ),
  publicUntil: Type.Optional({ ...Timestamp, description: 'When the app stops being public' }),
  url: Type.String({ description: 'URL of the map; a path unless apps have their own origin' }),
  warnings: Warnings,
};

/** A viewer assembled from modules. */
export const App = Type.Object({
  ...fields,
  slug: Type.Optional(Slug),
  ...serviceSet,
  warnings: Type.Optional(Warnings),
});
export type App = Static<typeof App>;

export const NewApp = strict({ ...Type.Partial(Type.Object(fields)).properties, name: Name, slug: newSlug });
export type NewApp = Static<typeof NewApp>;

export const AppChange = change({ ...fields, slug }, serviceSet);
export type AppChange = Static<typeof AppChange>;

export const AppListQuery = listQuery(
  ['name', 'description', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy', '_id'],
  {
    name: filter.text(),
    description: filter.text(),
    ...stampFilters,
    isPublic: Type.Optional(Type.Boolean()),
  },
);
export type AppListQuery = Static<typeof AppListQuery>;

/** An app with its complete modules in order; each `datasourceId` is accompanied by the URL of its data. */
export const CompiledApp = Type.Object({
  ...Type.Omit(App, ['revision', 'warnings']).properties,
  modules: Type.Array(Module),
});
export type CompiledApp = Static<typeof CompiledApp>;

/**
 * The period in which a release is public. Absent fields: from now on, without end, the currently visible release.
 */
export const Publicity = strict({
  releaseId: Type.Optional(
    Type.Union([Id, Type.Null()], {
      description: 'The release to show from then on; null: the draft',
    }),
  ),
  from: Type.Optional(Timestamp),
  until: Type.Optional({ ...Timestamp, description: 'Must be after `from` and in the future' }),
});
export type Publicity = Static<typeof Publicity>;

const names = Type.Array(Type.String());

/** An installed version of the map viewer, the types that modules may use with it, and the tools of apps. */
export const MapVersion = Type.Object({
  version: Type.String(),
  types: Type.Object({
    layers: names,
    maps: names,
    styles: names,
    tileProviders: names,
    contentTree: names,
    featureInfo: names,
  }),
  tools: Type.Array(ToolName, { description: 'Tools that apps may offer with it' }),
  toolPackages: Type.Array(
    Type.Object({
      tool: ToolName,
      name: Type.String({ description: 'Name of the npm package' }),
      version: Type.String(),
      license: Type.String({ description: 'As in its package.json' }),
    }),
    { description: 'The packages of these tools; the search is a part of Platen' },
  ),
});
export type MapVersion = Static<typeof MapVersion>;

const tag = 'apps';

export const appEndpoints = endpoints({
  postProjectApp: {
    method: 'POST',
    path: '/project/:projectId/app',
    tag,
    summary: 'Create an app from modules',
    access: { permission: 'createApp' },
    query: ForMember,
    body: NewApp,
    bodyLimit: 'freeForm',
    reply: App,
    status: 201,
    errors: ['unusable_reference', 'too_large'],
  },
  getProjectApps: {
    method: 'GET',
    path: '/project/:projectId/apps',
    tag,
    summary: 'List the apps of a project',
    description: 'Without the permission getApp, the content of apps created by others is omitted.',
    access: { permission: 'getProject' },
    query: AppListQuery,
    reply: page(App),
    errors: ['too_large'],
  },
  getProjectApp: {
    method: 'GET',
    path: '/project/:projectId/app/:appId',
    tag,
    summary: 'Get an app',
    access: { permission: 'getApp', orCreator: true },
    reply: App,
    alwaysWhole: true, // its warnings change with its modules
  },
  putProjectApp: {
    method: 'PUT',
    path: '/project/:projectId/app/:appId',
    tag,
    summary: 'Change the given fields; moduleIds replaces the whole list',
    access: { permission: 'editApp', orCreator: true },
    body: AppChange,
    bodyLimit: 'freeForm',
    reply: App,
    errors: ['unusable_reference', 'too_large', 'precondition_failed'],
  },
  deleteProjectApp: {
    method: 'DELETE',
    path: '/project/:projectId/app/:appId',
    tag,
    summary: 'Delete an app; its modules are kept',
    access: { permission: 'deleteApp', orCreator: true },
    reply: Deleted,
    errors: ['precondition_failed'],
  },
  getProjectAppCompiled: {
    method: 'GET',
    path: '/project/:projectId/app/:appId/compiled',
    tag,
    summary: 'Get an app with its modules in full and in order',
    access: { permission: 'getApp', orCreator: true },
    query: strict({
      edit: Type.Optional(
        Type.String({
          maxLength: 100,
          description:
            '`false` or `0`: as it is shown at present. Otherwise editors of the app get the draft',
        }),
      ),
    }),
    reply: CompiledApp,
    errors: ['too_large'],
  },
  getProjectAppUsers: {
    method: 'GET',
    path: '/project/:projectId/app/:appId/users',
    tag,
    summary: 'List the principals who may read an app, including guests',
    access: { permission: 'getACL' },
    query: PrincipalListQuery,
    reply: page(Grant),
  },
  putProjectAppPublic: {
    method: 'PUT',
    path: '/project/:projectId/app/:appId/public',
    tag,
    summary: 'Make the app and its data public, now or at a scheduled time',
    description:
      'Each request replaces the previous schedule. Until `from`, nothing changes, even if the app is already public. Choosing a release also requires publishApp.',
    access: { permission: 'setAppPublic' },
    body: Publicity,
    optionalBody: true,
    reply: App,
    errors: ['unprocessable', 'unusable_reference', 'too_large', 'precondition_failed'],
  },
  deleteProjectAppPublic: {
    method: 'DELETE',
    path: '/project/:projectId/app/:appId/public',
    tag,
    summary: 'Make the app private, effective immediately',
    access: { permission: 'setAppPublic' },
    reply: Deleted,
    errors: ['precondition_failed'],
  },
  getMapVersions: {
    method: 'GET',
    path: '/map-versions',
    tag,
    summary: 'List the installed versions of the map viewer, newest first',
    access: 'user',
    accessTokens: 'any',
    reply: Type.Object({ items: Type.Array(MapVersion) }),
  },
});
