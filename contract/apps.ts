import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { ForMember, Module, Principals, Warnings } from './modules.ts';
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

/** Such as `https://www.city.example`: a scheme, a host and perhaps a port. */
export const Origin = Type.String({
  pattern: '^(?:\\*|https?://(?:\\*\\.)?[a-z\\d](?:[a-z\\d.-]*[a-z\\d])?(?::\\d{1,5})?)$',
  maxLength: 300,
});

/** Not like an id, which has 26 characters and no hyphen: that of an app in the trash would lead to another. */
const Slug = Type.String({
  pattern: '^(?=.{3,60}$)(?![a-z\\d]{26}$)[a-z\\d]+(?:-[a-z\\d]+)*$',
  description: 'A name for the address of the map, /app/{slug}/; of the whole service only one app has it',
});

const fields = {
  name: Name,
  description: Description,
  mapVersion: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'Semver range; the newest installed engine in it shows the app',
  }),
  moduleIds: Type.Array(Id, { maxItems: 1000, description: 'Ordered; later modules override earlier ones' }),
  properties: FreeForm,
  frameOrigins: Type.Array(Origin, {
    maxItems: 50,
    description: 'Whose pages may show the app in a frame, besides this service; * for anyone’s',
  }),
};

/** Null takes it away. */
const slug = Type.Optional(Type.Union([Slug, Type.Null()]));

const serviceSet = {
  ...stamps,
  projectId: Id,
  publishTaskIds: Type.Array(Id),
  isPublic: Type.Boolean({ description: 'Whether anyone may see the app at its address' }),
  memberId: Type.String({ description: 'The user with whose permissions the app reads, checked live' }),
  releaseId: Type.Optional(
    Type.String({ description: 'The release that is shown; absent: what its modules are now' }),
  ),
  publicFrom: Type.Optional({ ...Timestamp, description: 'When it becomes public by itself' }),
  publicReleaseId: Type.Optional(
    Type.String({
      description: 'The release that is shown from publicFrom on; empty: what its modules are then',
    }),
  ),
  publicUntil: Type.Optional({ ...Timestamp, description: 'When it ends being public by itself' }),
  url: Type.String({ description: 'Address of the map; a path unless apps have an origin of their own' }),
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

export const NewApp = strict({ ...Type.Partial(Type.Object(fields)).properties, name: Name, slug });
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

/** An app with its modules, whole and in order; `datasourceId`s come with the address of their data. */
export const CompiledApp = Type.Object({
  ...Type.Omit(App, ['revision', 'warnings']).properties,
  modules: Type.Array(Module),
});
export type CompiledApp = Static<typeof CompiledApp>;

/** From when until when the world sees which release. What is absent: from now on, for good, what is shown anyhow. */
export const Publicity = strict({
  releaseId: Type.Optional(
    Type.Union([Id, Type.Null()], {
      description: 'The release to be shown from then on; null: what its modules are',
    }),
  ),
  from: Type.Optional(Timestamp),
  until: Type.Optional({ ...Timestamp, description: 'After `from`, and not past' }),
});
export type Publicity = Static<typeof Publicity>;

const names = Type.Array(Type.String());

/** An installed version of the map viewer, and the types that modules may use with it. */
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
    reply: App,
    status: 201,
    errors: ['unusable_reference', 'too_large'],
  },
  getProjectApps: {
    method: 'GET',
    path: '/project/:projectId/apps',
    tag,
    summary: 'List the apps of a project',
    description: 'Without the permission getApp the content of what others made is left out.',
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
    summary: 'Change the fields that are present; moduleIds replaces the whole list',
    access: { permission: 'editApp', orCreator: true },
    body: AppChange,
    reply: App,
    errors: ['unusable_reference', 'too_large', 'precondition_failed'],
  },
  deleteProjectApp: {
    method: 'DELETE',
    path: '/project/:projectId/app/:appId',
    tag,
    summary: 'Delete an app; its modules stay',
    access: { permission: 'deleteApp', orCreator: true },
    reply: Deleted,
    errors: ['precondition_failed'],
  },
  getProjectAppCompiled: {
    method: 'GET',
    path: '/project/:projectId/app/:appId/compiled',
    tag,
    summary: 'Get an app with its modules, whole and in order',
    access: { permission: 'getApp', orCreator: true },
    reply: CompiledApp,
    errors: ['too_large'],
  },
  getProjectAppUsers: {
    method: 'GET',
    path: '/project/:projectId/app/:appId/users',
    tag,
    summary: 'List the principals who may read an app, its guests among them',
    access: { permission: 'getACL' },
    reply: Principals,
  },
  putProjectAppPublic: {
    method: 'PUT',
    path: '/project/:projectId/app/:appId/public',
    tag,
    summary: 'Show the app, and the data it uses, to the world',
    description:
      'Each request says all of it: times that were set before count no longer. Until `from` everything stays as it is, also where the app is public already. To choose a release takes publishApp, too.',
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
    summary: 'Show the app no longer to the world; it takes effect at once',
    access: { permission: 'setAppPublic' },
    reply: Deleted,
    errors: ['precondition_failed'],
  },
  getMapVersions: {
    method: 'GET',
    path: '/map-versions',
    tag,
    summary: 'List the installed versions of the map viewer, the newest first',
    access: 'user',
    reply: Type.Object({ items: Type.Array(MapVersion) }),
  },
});
