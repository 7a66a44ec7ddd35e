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
} from './schema.ts';

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
};
const serviceSet = {
  ...stamps,
  projectId: Id,
  publishTaskIds: Type.Array(Id),
  isPublic: Type.Boolean({ description: 'Whether anyone may see the app at its address' }),
  memberId: Type.String({ description: 'The user with whose permissions the app reads, checked live' }),
  url: Type.String({ description: 'Address of the map; a path unless apps have an origin of their own' }),
  warnings: Warnings,
};

/** A viewer assembled from modules. */
export const App = Type.Object({ ...fields, ...serviceSet, warnings: Type.Optional(Warnings) });
export type App = Static<typeof App>;

export const NewApp = strict({ ...Type.Partial(Type.Object(fields)).properties, name: Name });
export type NewApp = Static<typeof NewApp>;

export const AppChange = change(fields, serviceSet);
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
    access: { permission: 'setAppPublic' },
    reply: App,
    errors: ['unprocessable', 'too_large', 'precondition_failed'],
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
