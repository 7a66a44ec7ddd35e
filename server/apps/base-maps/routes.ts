import { baseMapEndpoints } from '@platen/contract/base-maps';
import { routes } from '../../http/routes.ts';
import { listBaseMaps } from './operations.ts';

export const baseMapRoutes = routes(baseMapEndpoints, {
  getProjectBaseMaps: (context, { params }) => listBaseMaps(context, params.projectId),
});
