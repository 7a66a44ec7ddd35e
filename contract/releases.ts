import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { App } from './apps.ts';
import { Module, Warnings } from './modules.ts';
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

const Note = Type.String({ maxLength: 10_000 });

/** What an app was at a moment, which does not change any more. */
export const Release = Type.Object({
  _id: Id,
  projectId: Id,
  appId: Id,
  number: Type.Integer({ minimum: 1, description: 'Counts the releases of the app; none is given twice' }),
  note: Note,
  name: Name,
  description: Description,
  mapVersion: Type.String({ description: 'The range that the app had' }),
  engineVersion: Type.String({ description: 'The version of the map viewer that it was made for' }),
  numberOfModules: Type.Integer(),
  isShown: Type.Boolean({ description: 'It is what the app shows, to whomever it shows anything' }),
  warnings: Warnings,
  createdAt: Timestamp,
  createdBy: Type.String(),
});
export type Release = Static<typeof Release>;

export const PinnedData = Type.Object({
  datasourceId: Id,
  revision: Type.Integer({ description: 'Of its data; as long as the release is there it is kept' }),
});
export type PinnedData = Static<typeof PinnedData>;

export const WholeRelease = Type.Object({
  ...Release.properties,
  modules: Type.Array(Module, { description: 'Whole and in order, as they were' }),
  world: { ...FreeForm, description: 'The module with the world base layer, which stands before them' },
  datasources: Type.Array(PinnedData),
});
export type WholeRelease = Static<typeof WholeRelease>;

export const NewRelease = strict({
  note: Type.Optional(Note),
  show: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether the app shows it from now on; true by default' }),
  ),
});
export type NewRelease = Static<typeof NewRelease>;

export const ReleaseListQuery = listQuery(['number', 'createdAt', 'createdBy'], {});
export type ReleaseListQuery = Static<typeof ReleaseListQuery>;

const short = 'As JSON, cut after 200 characters';

/** One difference within an object. Items of lists are known by their names, others by their places. */
export const Difference = Type.Object({
  pointer: Type.String({ description: 'Where it is now; of what was removed, where it was' }),
  change: oneOf(['added', 'removed', 'changed', 'moved']),
  name: Type.Optional(Type.String({ description: 'Of the item of a list' })),
  before: Type.Optional(Type.String({ description: short })),
  after: Type.Optional(Type.String({ description: short })),
});
export type Difference = Static<typeof Difference>;

export const ModuleDifference = Type.Object({
  moduleId: Id,
  name: Type.String(),
  changes: Type.Array(oneOf(['added', 'removed', 'moved', 'changed'])),
  before: Type.Optional(Type.Integer({ description: 'Its place in the list of modules, from 0' })),
  after: Type.Optional(Type.Integer()),
  differences: Type.Array(Difference),
  isCut: Type.Boolean({ description: 'There are more differences than are told' }),
});
export type ModuleDifference = Static<typeof ModuleDifference>;

export const DataDifference = Type.Object({
  datasourceId: Id,
  before: Type.Optional(Type.Integer({ description: 'Revision of the data; absent: it was not named' })),
  after: Type.Optional(Type.Integer()),
});
export type DataDifference = Static<typeof DataDifference>;

export const ReleaseDiff = Type.Object({
  before: Type.Object({ release: Type.Optional(Id), number: Type.Optional(Type.Integer()) }),
  after: Type.Object({ release: Type.Optional(Id), number: Type.Optional(Type.Integer()) }),
  isEqual: Type.Boolean(),
  app: Type.Array(Difference, { description: 'Name, description, range and version of the map viewer' }),
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
    summary: 'Make a release of what an app is now, and show it',
    description:
      'Pins the modules, the revisions of their data and the version of the map viewer. Once a release is shown, what is edited is a draft until the next. Where strangers see what the app shows, or shall, showing takes setAppPublic.',
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
    summary: 'List the releases of an app, the newest first; not for its guests',
    access: reading,
    query: ReleaseListQuery,
    reply: page(Release),
  },
  getProjectAppRelease: {
    method: 'GET',
    path: release,
    tag,
    summary: 'Get a release, by its id or number, with all that it pins',
    access: reading,
    reply: WholeRelease,
  },
  getProjectAppReleaseDiff: {
    method: 'GET',
    path: `${release}/diff`,
    tag,
    summary: 'Tell what is different between a release and another, or the draft',
    description:
      'Before is the other one, after this one; with the draft, which is later, the other way round.',
    access: reading,
    query: strict({
      with: Type.String({
        minLength: 1,
        maxLength: 64,
        default: 'previous',
        description: 'Id or number of a release, `previous` or `draft`',
      }),
    }),
    reply: ReleaseDiff,
    errors: ['too_large'],
  },
  postProjectAppReleaseRestore: {
    method: 'POST',
    path: `${release}/restore`,
    tag,
    summary: 'Show a release, an earlier or a later one; it takes effect at once',
    access: publishing,
    reply: App,
    errors: ['unprocessable', 'precondition_failed'],
  },
  deleteProjectAppRelease: {
    method: 'DELETE',
    path: release,
    tag,
    summary: 'Delete a release that is not shown, for good; what it alone pinned is kept no longer',
    access: publishing,
    reply: Deleted,
    errors: ['conflict'],
  },
  deleteProjectAppShownRelease: {
    method: 'DELETE',
    path: '/project/:projectId/app/:appId/shown-release',
    tag,
    summary: 'Show what the modules are now, and no release; releases stay',
    access: publishing,
    reply: Deleted,
    errors: ['unprocessable', 'too_large'],
  },
});
