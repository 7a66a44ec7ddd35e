import { Type, type Static } from 'typebox';
import { datasourceTypes } from './datasource-types.ts';
import { Warnings } from './error.ts';
import { DatasourceFacts } from './datasource-facts.ts';
import { endpoints } from './endpoint.ts';
import {
  Bbox,
  change,
  Deleted,
  Description,
  filter,
  FreeForm,
  Id,
  listQuery,
  Name,
  oneOf,
  page,
  someOf,
  stampFilters,
  stamps,
  strict,
  Timestamp,
} from './schema.ts';

export const DatasourceTypeName = oneOf(datasourceTypes);

/** Data in a bucket of the project: a file, or a folder where the key names one. */
export const InternalSource = strict({
  type: Type.Literal('internal'),
  dataBucketId: Id,
  dataBucketKey: Type.String({
    minLength: 1,
    maxLength: 1100,
    description: 'Path of an existing file or of a folder with files',
  }),
  urlSuffix: Type.Optional(Type.String({ maxLength: 1024, description: 'Path within the folder `uri`' })),
});
export type InternalSource = Static<typeof InternalSource>;

/** Data elsewhere. What its address tells becomes `facts` after the response. */
export const ExternalSource = strict({
  type: Type.Literal('external'),
  url: Type.String({ minLength: 1, maxLength: 4096, description: 'http or https' }),
});
export type ExternalSource = Static<typeof ExternalSource>;

export type SourceProperties = InternalSource | ExternalSource;
export const SourceProperties = Type.Unsafe<SourceProperties>({
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [InternalSource, ExternalSource],
});

const TypeProperties = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'Layer options; the schema depends on the type. Unknown keys are kept; misspelt ones become `warnings`',
});

const fields = {
  name: Name,
  description: Description,
  type: DatasourceTypeName,
  typeProperties: TypeProperties,
  sourceProperties: SourceProperties,
  bbox: Bbox,
  properties: FreeForm,
};

/** Limit of the job ids listed in a datasource. */
export const maxJobIds = 100;

const serviceSet = {
  ...stamps,
  projectId: Id,
  uri: Type.String({
    description: 'URL of the data: a path of this service, or the URL of an external source',
  }),
  facts: Type.Optional(DatasourceFacts),
  jobIds: Type.Array(Type.String(), {
    description: `Jobs that created the data: the latest ${maxJobIds}, oldest first`,
  }),
  publishTaskIds: Type.Array(Type.String()),
  primaryDatasourceId: Type.Optional({
    ...Id,
    description:
      'The primary datasource of the job that made this one as a further result. Jobs that update or overwrite that one do the same with this one',
  }),
  resultKey: Type.Optional(
    Type.String({ description: 'Identifies a further result among those of the job, such as `hillshade`' }),
  ),
  dataRevision: Type.Integer({ description: 'Number of changes to the data' }),
  dataUpdatedAt: Timestamp,
  dataUpdatedBy: Type.String(),
  warnings: Type.Optional(Warnings),
};

/** A registered reference to data, in a data bucket or elsewhere. */
export const Datasource = Type.Object({ ...fields, bbox: Type.Optional(Bbox), ...serviceSet });
export type Datasource = Static<typeof Datasource>;

export const NewDatasource = strict({
  name: Name,
  description: Type.Optional(Description),
  type: DatasourceTypeName,
  typeProperties: Type.Optional(TypeProperties),
  sourceProperties: SourceProperties,
  bbox: Type.Optional(Bbox),
  properties: Type.Optional(FreeForm),
});
export type NewDatasource = Static<typeof NewDatasource>;

export const DatasourceChange = change(fields, serviceSet);
export type DatasourceChange = Static<typeof DatasourceChange>;

export const DatasourceListQuery = listQuery(
  [
    'name',
    'description',
    'type',
    'createdAt',
    'createdBy',
    'updatedAt',
    'updatedBy',
    'dataUpdatedAt',
    'dataUpdatedBy',
    '_id',
  ],
  {
    name: filter.text(),
    description: filter.text(),
    type: someOf(DatasourceTypeName, datasourceTypes.length),
    ...stampFilters,
    dataUpdatedAt: filter.time(),
    dataUpdatedBy: filter.exact(),
    dataBucketId: filter.exact(),
    uri: Type.Optional(
      Type.String({
        maxLength: 4096,
        description: 'URL of the data, or of this service below that of internal data',
      }),
    ),
    bbox: filter.bbox(),
    details: Type.Optional(
      Type.Boolean({
        description: 'Also returns who may read each datasource, how much uses it, and its size',
      }),
    ),
  },
);
export type DatasourceListQuery = Static<typeof DatasourceListQuery>;

/** A datasource in a list. Fields on demand are absent if the caller may not request them. */
export const ListedDatasource = Type.Object({
  ...Datasource.properties,
  isPublic: Type.Optional(
    Type.Boolean({ description: 'Whether everyone may read the data because a public app shows it' }),
  ),
  numberOfUses: Type.Optional(Type.Integer({ description: 'Number of resources that refer to it' })),
  isFileMissing: Type.Optional(
    Type.Boolean({ description: 'Whether its file or folder was deleted; internal data only' }),
  ),
  size: Type.Optional(Type.Integer({ description: 'Size of its file or folder in bytes' })),
});
export type ListedDatasource = Static<typeof ListedDatasource>;

export const DatasourceSummaryQuery = strict({
  type: someOf(DatasourceTypeName, datasourceTypes.length),
  createdBy: filter.exact(),
  updatedBy: filter.exact(),
});
export type DatasourceSummaryQuery = Static<typeof DatasourceSummaryQuery>;

const Counts = Type.Array(Type.Object({ _id: Type.String(), count: Type.Integer() }));
const Period = Type.Object({ from: Timestamp, to: Timestamp });

/** How many datasources of each type and user there are, and when they were created and changed. */
export const DatasourceSummary = Type.Object({
  numberOfItems: Type.Integer(),
  types: Counts,
  createdByUsers: Counts,
  updatedByUsers: Counts,
  createdAtRange: Type.Optional(Period),
  updatedAtRange: Type.Optional(Period),
});
export type DatasourceSummary = Static<typeof DatasourceSummary>;

const tag = 'datasources';

export const datasourceEndpoints = endpoints({
  postProjectDatasource: {
    method: 'POST',
    path: '/project/:projectId/datasource',
    tag,
    summary: 'Register data as a datasource',
    description:
      'Internal data must already exist and must match the type; of an external address only the syntax is checked. `facts` and, unless given, `bbox` follow soon after the response: from the inspection of the file, or from the address, which is asked again for a day if it does not answer.',
    access: { permission: 'createDatasource' },
    body: NewDatasource,
    bodyLimit: 'freeForm',
    reply: Datasource,
    status: 201,
    errors: ['unusable_reference', 'unprocessable'],
  },
  getProjectDatasources: {
    method: 'GET',
    path: '/project/:projectId/datasources',
    tag,
    summary: 'List the datasources of a project',
    access: { permission: 'getProject' },
    query: DatasourceListQuery,
    reply: page(ListedDatasource),
    errors: ['too_large'],
  },
  getProjectDatasourcesSummary: {
    method: 'GET',
    path: '/project/:projectId/datasources/summary',
    tag,
    summary: 'Count the datasources by type and user',
    access: { permission: 'getProject' },
    query: DatasourceSummaryQuery,
    reply: DatasourceSummary,
  },
  getProjectDatasource: {
    method: 'GET',
    path: '/project/:projectId/datasource/:datasourceId',
    tag,
    summary: 'Get a datasource',
    access: { permission: 'getDatasource', orCreator: true },
    reply: Datasource,
    alwaysWhole: true, // what is found in its data comes without a new revision
  },
  putProjectDatasource: {
    method: 'PUT',
    path: '/project/:projectId/datasource/:datasourceId',
    tag,
    summary: 'Change the given fields',
    description: '`typeProperties` are merged key by key, or replaced as a whole with `overwriteParameters`.',
    access: { permission: 'editDatasource', orCreator: true },
    query: strict({
      overwriteParameters: Type.Optional(Type.Boolean()),
      updateData: Type.Optional(
        Type.Boolean({
          description:
            'The data has changed, even if its source is still the same: begins a new revision of the data',
        }),
      ),
    }),
    body: DatasourceChange,
    bodyLimit: 'freeForm',
    reply: Datasource,
    errors: ['precondition_failed', 'unusable_reference', 'unprocessable'],
  },
  deleteProjectDatasource: {
    method: 'DELETE',
    path: '/project/:projectId/datasource/:datasourceId',
    tag,
    summary: 'Delete a datasource; its files are kept',
    description: 'A datasource used by modules is deleted only with `force`.',
    access: { permission: 'deleteDatasource', orCreator: true },
    query: strict({ force: Type.Optional(Type.Boolean()) }),
    reply: Type.Object({ ...Datasource.properties, ...Deleted.properties }),
    errors: ['precondition_failed', 'conflict'],
  },
  getProjectDatasourceConfig: {
    method: 'GET',
    path: '/project/:projectId/datasource/:datasourceId/config',
    tag,
    summary: 'Get the layer that shows the datasource in the map viewer, as JSON for a module',
    description:
      'For oblique images this is an item of `obliqueCollections`. Generic data has no layer: 422.',
    access: { permission: 'getDatasource', orCreator: true },
    reply: FreeForm,
    errors: ['unprocessable'],
  },
  getProjectDatasourceDownload: {
    method: 'GET',
    path: '/project/:projectId/datasource/:datasourceId/download',
    tag,
    summary: 'Download the data: the file, or the folder as tar.gz',
    access: { permission: 'getDatasource', orCreator: true },
    download: true,
    isExport: true,
    errors: ['unprocessable', 'range_not_satisfiable'],
  },
});
