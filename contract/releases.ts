import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { App } from './apps.ts';
import { Warnings } from './error.ts';
import { Module } from './modules.ts';
import {
  Deleted,
  Description,
  FreeForm,
  Id,
  listQuery,
  Name,
  oneOf,
  page,
  strict,
  Timestamp,
} from './schema.ts';
import { ToolName } from './tools.ts';

const Note = Type.String({ maxLength: 10_000 });

/** An immutable snapshot of an app. */
export const Release = Type.Object({
  _id: Id,
  projectId: Id,
  appId: Id,
  number: Type.Integer({ minimum: 1, description: 'Number of the release within the app; never reused' }),
  note: Note,
  name: Name,
  description: Description,
  mapVersion: Type.String({ description: 'The version range of the app at that time' }),
  engineVersion: Type.String({ description: 'The version of the map viewer it was created with' }),
  numberOfModules: Type.Integer(),
  isShown: Type.Boolean({ description: 'Whether this is the current release of the app' }),
  warnings: Warnings,
  createdAt: Timestamp,
  createdBy: Type.String(),
});
export type Release = Static<typeof Release>;

export const PinnedData = Type.Object({
  datasourceId: Id,
  revision: Type.Integer({ description: 'Revision of its data; kept as long as the release exists' }),
});
export type PinnedData = Static<typeof PinnedData>;

export const WholeRelease = Type.Object({
  ...Release.properties,
  modules: Type.Array(Module, { description: 'In full and in order, as they were' }),
  world: { ...FreeForm, description: 'The module with the world base layer, which comes first' },
  datasources: Type.Array(PinnedData),
  plugins: Type.Record(Type.String(), Type.String(), {
    description: 'The pinned version of each plugin of the modules, by `name@range`',
  }),
  tools: Type.Array(ToolName, { description: 'Tools that the map offers' }),
});
export type WholeRelease = Static<typeof WholeRelease>;

export const NewRelease = strict({
  note: Type.Optional(Note),
  show: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether it becomes the current release; default true' }),
  ),
});
export type NewRelease = Static<typeof NewRelease>;

export const ReleaseListQuery = listQuery(['number', 'createdAt', 'createdBy'], {});
export type ReleaseListQuery = Static<typeof ReleaseListQuery>;

const short = 'As JSON, cut after 200 characters';

/** A difference within an object. List items are identified by name, other values by path. */
export const Difference = Type.Object({
  pointer: Type.String({
    description: 'JSON pointer to its current location; for removed items, to the previous one',
  }),
  change: oneOf(['added', 'removed', 'changed', 'moved']),
  name: Type.Optional(Type.String({ description: 'Name of the list item' })),
  before: Type.Optional(Type.String({ description: short })),
  after: Type.Optional(Type.String({ description: short })),
});
export type Difference = Static<typeof Difference>;

export const ModuleDifference = Type.Object({
  moduleId: Id,
  name: Type.String(),
  changes: Type.Array(oneOf(['added', 'removed', 'moved', 'changed'])),
  before: Type.Optional(Type.Integer({ description: 'Index in the list of modules, from 0' })),
  after: Type.Optional(Type.Integer()),
  differences: Type.Array(Difference),
  isCut: Type.Boolean({ description: 'Whether there are more differences than listed' }),
});
export type ModuleDifference = Static<typeof ModuleDifference>;

export const DataDifference = Type.Object({
  datasourceId: Id,
  before: Type.Optional(Type.Integer({ description: 'Revision of the data; absent if it was not used' })),
  after: Type.Optional(Type.Integer()),
});
export type DataDifference = Static<typeof DataDifference>;

export const ReleaseDiff = Type.Object({
  before: Type.Object({ release: Type.Optional(Id), number: Type.Optional(Type.Integer()) }),
  after: Type.Object({ release: Type.Optional(Id), number: Type.Optional(Type.Integer()) }),
  isEqual: Type.Boolean(),
  app: Type.Array(Difference, {
    description: 'Name, description, version range and version of the map viewer',
  }),
  modules: Type.Array(ModuleDifference),
  datasources: Type.Array(DataDifference),
});
export type ReleaseDiff = Static<typeof ReleaseDiff>;

const tag = 'releases';
const release = '/project/:projectId/app/:appId/release/:releaseId';
const reading = { permission: 'getApp', orCreator: true } as const;
const publishing = { permission: 'publishApp', orCreator: true } as const;

export const releaseEndpoints = endpoints({
  postProjectAppRelease: {
    method: 'POST',
    path: '/project/:projectId/app/:appId/release',
    tag,
    summary: 'Create a release of the current state of an app and show it',
    description:
      'Pins the modules, the revisions of their data and the version of the map viewer. Once a release is shown, later edits form a draft until the next release. If the app is public, has share links or is scheduled to become public, showing the release also requires setAppPublic.',
    access: publishing,
    body: NewRelease,
    optionalBody: true,
    reply: Release,
    status: 201,
    errors: ['unprocessable', 'too_large', 'conflict'],
  },
  getProjectAppReleases: {
    method: 'GET',
    path: '/project/:projectId/app/:appId/releases',
    tag,
    summary: 'List the releases of an app, newest first; not available to guests',
    access: reading,
    query: ReleaseListQuery,
    reply: page(Release),
  },
  getProjectAppRelease: {
    method: 'GET',
    path: release,
    tag,
    summary: 'Get a release by ID or number, with everything it pins',
    access: reading,
    reply: WholeRelease,
  },
  getProjectAppReleaseDiff: {
    method: 'GET',
    path: `${release}/diff`,
    tag,
    summary: 'Compare a release with another release or with the draft',
    description:
      '`before` is the other release and `after` this one; when comparing with the draft, which is newer, the other way round.',
    access: reading,
    query: strict({
      with: Type.String({
        minLength: 1,
        maxLength: 64,
        default: 'previous',
        description: 'ID or number of a release, `previous` or `draft`',
      }),
    }),
    reply: ReleaseDiff,
    errors: ['too_large'],
  },
  postProjectAppReleaseRestore: {
    method: 'POST',
    path: `${release}/restore`,
    tag,
    summary: 'Make a release the current one, effective immediately',
    access: publishing,
    reply: App,
    errors: ['unprocessable', 'precondition_failed'],
  },
  deleteProjectAppRelease: {
    method: 'DELETE',
    path: release,
    tag,
    summary:
      'Permanently delete a release that is not current; data revisions pinned only by it are no longer kept',
    access: publishing,
    reply: Deleted,
    errors: ['conflict'],
  },
  deleteProjectAppShownRelease: {
    method: 'DELETE',
    path: '/project/:projectId/app/:appId/shown-release',
    tag,
    summary: 'Show the draft instead of a release; releases are kept',
    access: publishing,
    reply: Deleted,
    errors: ['unprocessable', 'too_large'],
  },
});
