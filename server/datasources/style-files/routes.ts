import { styleFileEndpoints } from '@platen/contract/style-files';
import { routes } from '../../http/routes.ts';
import { exportDatasourceStyle, exportStyle, importStyles } from './operations.ts';

export const styleFileRoutes = routes(styleFileEndpoints, {
  postProjectStyleImport: (context, { params, body }) =>
    importStyles(context, { projectId: params.projectId, text: body.text }),
  postProjectStyleExport: async (_context, { body }) => exportStyle(body),
  getProjectDatasourceStyleExport: (context, { params, query }) =>
    exportDatasourceStyle(context, { ...params, format: query.format, name: query.name }),
});
