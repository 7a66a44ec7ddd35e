import { objectRevisionEndpoints } from '@platen/contract/revisions';
import { routes } from '../../http/routes.ts';
import { listObjectRevisions, restoreObjectRevision } from './operations.ts';

export const objectRevisionRoutes = routes(objectRevisionEndpoints, {
  getProjectDataBucketObjectRevisions: (context, { params, query }) =>
    listObjectRevisions(context, params, query),
  postProjectDataBucketObjectRevisionRestore: (context, { caller, params, query }) =>
    restoreObjectRevision(context, caller, { ...params, key: query.key }),
});
