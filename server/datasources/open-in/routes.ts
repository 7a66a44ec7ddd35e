import { openInEndpoints } from '@platen/contract/open-in';
import { publicOrigin } from '../../http/public-origin.ts';
import { routes } from '../../http/routes.ts';
import { listLinks } from './operations.ts';

export const openInRoutes = routes(openInEndpoints, {
  getProjectDatasourceLinks: (context, { params, http }) =>
    listLinks(context, { ...params, origin: publicOrigin(context.settings, http.request) }),
});
