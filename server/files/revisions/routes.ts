import { revisionEndpoints } from '@platen/contract/revisions';
import { routes } from '../../http/routes.ts';
import {
  listDatasourceRevisions,
  listObjectRevisions,
  restoreDatasourceRevision,
  restoreObjectRevision,
} from './operations.ts';

export const revisionRoutes = routes(revisionEndpoints, {
  getProjectDataBucketObjectRevisions: (context, { params, query }) =>
    listObjectRevisions(context, params, query),
  postProjectDataBucketObjectRevisionRestore: (context, { caller, params, query }) =>
    restoreObjectRevision(context, caller, { ...params, key: query.key }),
  getProjectDatasourceRevisions: (context, { params, query }) =>
    listDatasourceRevisions(context, params, query),
  postProjectDatasourceRevisionRestore: (context, { caller, params, ifMatch }) =>
    restoreDatasourceRevision(context, caller, { ...params, ifMatch }),
});
