import { datasourceEndpoints } from '@platen/contract/datasources';
import { lineageEndpoints } from '@platen/contract/lineage';
import { routes } from '../http/routes.ts';
import { sendDownload } from './download.ts';
import { getLineage } from './lineage.ts';
import {
  changeDatasource,
  createDatasource,
  getDatasource,
  getLayer,
  listDatasources,
  removeDatasource,
  summariseDatasources,
} from './operations.ts';

export const datasourceRoutes = routes(datasourceEndpoints, {
  postProjectDatasource: (context, { caller, params, body }) =>
    createDatasource(context, caller, { projectId: params.projectId, body }),
  getProjectDatasources: (context, { caller, params, query }) =>
    listDatasources(context, caller, { projectId: params.projectId, query }),
  getProjectDatasourcesSummary: (context, { params, query }) =>
    summariseDatasources(context, params.projectId, query),
  getProjectDatasource: (context, { params }) => getDatasource(context, params),
  putProjectDatasource: (context, { caller, params, query, body, ifMatch }) =>
    changeDatasource(context, caller, {
      ...params,
      body,
      ifMatch,
      overwrite: query.overwriteParameters === true,
      updateData: query.updateData === true,
    }),
  deleteProjectDatasource: (context, { caller, params, query }) =>
    removeDatasource(context, caller, { ...params, force: query.force === true }),
  getProjectDatasourceConfig: (context, { params }) => getLayer(context, params),
  getProjectDatasourceDownload: async (context, { params, http }) =>
    sendDownload(context, await getDatasource(context, params), http),
});

export const lineageRoutes = routes(lineageEndpoints, {
  getProjectDatasourceLineage: (context, { params }) => getLineage(context, params),
});
