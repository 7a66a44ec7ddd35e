import { bucketEndpoints } from '@platen/contract/buckets';
import { routes } from '../../http/routes.ts';
import { changeBucket, createBucket, getBucket, listBuckets, removeBucket } from './operations.ts';

export const bucketRoutes = routes(bucketEndpoints, {
  postProjectDataBucket: (context, { caller, params, body }) =>
    createBucket(context, caller, { projectId: params.projectId, body }),
  getProjectDataBuckets: (context, { caller, params, query }) =>
    listBuckets(context, caller, { projectId: params.projectId, query }),
  getProjectDataBucket: (context, { params }) => getBucket(context, params),
  putProjectDataBucket: (context, { caller, params, body, ifMatch }) =>
    changeBucket(context, caller, { ...params, body, ifMatch }),
  deleteProjectDataBucket: (context, { caller, params, query }) =>
    removeBucket(context, caller, { ...params, force: query.force === true }),
});
