import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
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

const fields = { name: Name, description: Description, properties: FreeForm };
const serviceSet = { ...stamps, projectId: Id };

/** A storage container of a project. Files stay until they are deleted. */
export const DataBucket = Type.Object({ ...fields, ...serviceSet });
export type DataBucket = Static<typeof DataBucket>;

export const NewDataBucket = strict({
  name: Name,
  description: Type.Optional(Description),
  properties: Type.Optional(FreeForm),
});
export type NewDataBucket = Static<typeof NewDataBucket>;

export const DataBucketChange = change(fields, serviceSet);
export type DataBucketChange = Static<typeof DataBucketChange>;

export const DataBucketListQuery = listQuery(
  ['name', 'description', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy', '_id'],
  { name: filter.text(), description: filter.text(), ...stampFilters },
);
export type DataBucketListQuery = Static<typeof DataBucketListQuery>;

const tag = 'data buckets';

export const bucketEndpoints = endpoints({
  postProjectDataBucket: {
    method: 'POST',
    path: '/project/:projectId/data-bucket',
    tag,
    summary: 'Create a data bucket',
    access: { permission: 'createDataBucket' },
    body: NewDataBucket,
    bodyLimit: 'freeForm',
    reply: DataBucket,
    status: 201,
  },
  getProjectDataBuckets: {
    method: 'GET',
    path: '/project/:projectId/data-buckets',
    tag,
    summary: 'List the data buckets of a project',
    access: { permission: 'getProject' },
    query: DataBucketListQuery,
    reply: page(DataBucket),
    errors: ['too_large'],
  },
  getProjectDataBucket: {
    method: 'GET',
    path: '/project/:projectId/data-bucket/:dataBucketId',
    tag,
    summary: 'Get a data bucket',
    access: { permission: 'getDataBucket', orCreator: true },
    reply: DataBucket,
  },
  putProjectDataBucket: {
    method: 'PUT',
    path: '/project/:projectId/data-bucket/:dataBucketId',
    tag,
    summary: 'Change the given fields',
    access: { permission: 'editDataBucket', orCreator: true },
    body: DataBucketChange,
    bodyLimit: 'freeForm',
    reply: DataBucket,
    errors: ['precondition_failed'],
  },
  deleteProjectDataBucket: {
    method: 'DELETE',
    path: '/project/:projectId/data-bucket/:dataBucketId',
    tag,
    summary: 'Delete a data bucket and move it to the trash with all its files',
    description:
      'The default data bucket of a project cannot be deleted. A data bucket used by datasources or scheduled tasks is deleted only with `force`; the datasources then have no data until it is restored.',
    access: { permission: 'deleteDataBucket', orCreator: true },
    query: strict({ force: Type.Optional(Type.Boolean()) }),
    reply: Deleted,
    errors: ['precondition_failed', 'conflict'],
  },
});
