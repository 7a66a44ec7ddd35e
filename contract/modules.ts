import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Warnings } from './error.ts';
import { Grant, PrincipalListQuery } from './iam.ts';
import {
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
import { Story } from './stories.ts';

const items = (of: string, limit: { maxItems?: number } = {}) =>
  Type.Array(FreeForm, { description: `${of}; kept verbatim`, ...limit });

/** The lists of a map configuration; always present, if only as `[]`. */
export const moduleLists = ['layers', 'maps', 'contentTree', 'viewpoints'] as const;

const lists = {
  layers: items('Layers, each with `type` and `name`'),
  maps: items('Maps, each with `type` and `name`'),
  contentTree: items(
    'Content tree items, each with `type` and `name`; dots in the name define the hierarchy',
  ),
  viewpoints: items('Viewpoints in WGS 84'),
};

/** Null resets the starting name of an earlier module. */
const startingName = Type.Union([Type.String({ maxLength: 1024 }), Type.Null()]);

const optional = {
  styles: Type.Optional(items('Styles')),
  categories: Type.Optional(items('Categories')),
  obliqueCollections: Type.Optional(items('Oblique collections')),
  plugins: Type.Optional(items('Plugins with their configuration', { maxItems: 200 })),
  featureInfo: Type.Optional(items('Feature information views')),
  i18n: Type.Optional(items('Translations')),
  uiConfig: Type.Optional(items('Interface settings, as name and value')),
  hiddenObjects: Type.Optional(items('Objects to hide, by ID')),
  flights: Type.Optional(items('Flights')),
  vectorClusterGroups: Type.Optional(items('Vector cluster groups')),
  clippingPolygons: Type.Optional(items('Clipping polygons')),
  projection: Type.Optional(FreeForm),
  story: Type.Optional(Story),
  startingMapName: Type.Optional(startingName),
  startingViewpointName: Type.Optional(startingName),
  startingObliqueCollectionName: Type.Optional(startingName),
};

/** The keys of a map configuration that the map viewer or its page knows. */
export const moduleContentKeys: readonly string[] = [...Object.keys(lists), ...Object.keys(optional)];

const described = { name: Name, description: Description, properties: FreeForm };
const ownedBy = {
  projectId: Id,
  memberId: Type.String({
    description: 'The user whose permissions are used to read the data; default: the creator',
  }),
};
const serviceSet = { ...stamps, ...ownedBy, warnings: Warnings };

/** The read-only fields of a module. */
export const moduleServiceSet: readonly string[] = Object.keys(serviceSet);

/** A map configuration in the format of the viewer. Unknown keys are kept. */
export const Module = Type.Object({
  ...described,
  ...stamps,
  ...ownedBy,
  ...lists,
  ...optional,
  warnings: Type.Optional(Warnings),
});
export type Module = Static<typeof Module>;

export const NewModule = Type.Object({
  name: Name,
  description: Type.Optional(Description),
  properties: Type.Optional(FreeForm),
  ...Type.Partial(Type.Object(lists)).properties,
  ...optional,
});
export type NewModule = Static<typeof NewModule>;

/** Read-only fields are ignored, so that a GET can be modified and PUT back. */
export const ModuleChange = Type.Partial(Type.Object({ ...described, ...lists, ...optional }));
export type ModuleChange = Static<typeof ModuleChange>;

export const ModuleListQuery = listQuery(
  ['name', 'description', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy', '_id'],
  { name: filter.text(), description: filter.text(), ...stampFilters },
);
export type ModuleListQuery = Static<typeof ModuleListQuery>;

/** The member with whose permissions a new app or module reads data. */
export const ForMember = strict({
  MemberId: Type.Optional({
    ...Id,
    description: 'Principal whose permissions are used: oneself, or with grantRole any member of the project',
  }),
  memberId: Type.Optional({ ...Id, description: 'The same as `MemberId`' }),
});
type ForMember = Static<typeof ForMember>;

export const memberOf = ({ MemberId, memberId }: ForMember): string | undefined => MemberId ?? memberId;

const tag = 'modules';

export const moduleEndpoints = endpoints({
  postProjectModule: {
    method: 'POST',
    path: '/project/:projectId/module',
    tag,
    summary: 'Create a module',
    description:
      'The content is kept verbatim. Content that the map viewer would silently drop is refused with its location; questionable content is returned in `warnings`.',
    access: { permission: 'createModule' },
    query: ForMember,
    body: NewModule,
    bodyLimit: 'mapConfiguration',
    reply: Module,
    status: 201,
    errors: ['unusable_reference', 'too_large'],
  },
  getProjectModules: {
    method: 'GET',
    path: '/project/:projectId/modules',
    tag,
    summary: 'List the modules of a project',
    description: 'Without the permission getModule, the content of modules created by others is omitted.',
    access: { permission: 'getProject' },
    query: ModuleListQuery,
    reply: page(Module),
    errors: ['too_large'],
  },
  getProjectModule: {
    method: 'GET',
    path: '/project/:projectId/module/:moduleId',
    tag,
    summary: 'Get a module',
    access: { permission: 'getModule', orCreator: true },
    reply: Module,
    alwaysWhole: true, // its warnings change with the types of its datasources
  },
  putProjectModule: {
    method: 'PUT',
    path: '/project/:projectId/module/:moduleId',
    tag,
    summary: 'Change the given fields; a list replaces the whole list',
    description:
      'With `replace`, the map configuration becomes exactly the one in the request, in the order of its keys; absent parts are removed. Name, description and properties are kept if absent.',
    access: { permission: 'editModule', orCreator: true },
    query: strict({ replace: Type.Optional(Type.Boolean()) }),
    body: ModuleChange,
    bodyLimit: 'mapConfiguration',
    reply: Module,
    errors: ['unusable_reference', 'too_large', 'precondition_failed'],
  },
  deleteProjectModule: {
    method: 'DELETE',
    path: '/project/:projectId/module/:moduleId',
    tag,
    summary: 'Delete a module; if apps use it, only with `force`, which removes it from them',
    access: { permission: 'deleteModule', orCreator: true },
    query: strict({ force: Type.Optional(Type.Boolean()) }),
    reply: Deleted,
    errors: ['precondition_failed', 'conflict'],
  },
  getProjectModuleUsers: {
    method: 'GET',
    path: '/project/:projectId/module/:moduleId/users',
    tag,
    summary: 'List the principals who may read a module',
    access: { permission: 'getACL' },
    query: PrincipalListQuery,
    reply: page(Grant),
  },
});
