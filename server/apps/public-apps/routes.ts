import { publicAppEndpoints } from '@platen/contract/public-apps';
import { routes } from '../../http/routes.ts';
import { listPublicApps } from './operations.ts';

export const publicAppRoutes = routes(publicAppEndpoints, {
  getPublicApps: (context, { query }) => listPublicApps(context, query),
});
