import { datasourceRevisionEndpoints } from '@platen/contract/revisions';
import { routes } from '../../http/routes.ts';
import { listDatasourceRevisions, restoreDatasourceRevision } from './operations.ts';

export const datasourceRevisionRoutes = routes(datasourceRevisionEndpoints, {
  getProjectDatasourceRevisions: (context, { params, query }) =>
    listDatasourceRevisions(context, params, query),
  postProjectDatasourceRevisionRestore: (context, { caller, params, ifMatch }) =>
    restoreDatasourceRevision(context, caller, { ...params, ifMatch }),
});
