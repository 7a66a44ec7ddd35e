import { usageEndpoints } from '@platen/contract/usage';
import { routes } from '../../http/routes.ts';
import { summariseUsage } from './operations.ts';

export const usageRoutes = routes(usageEndpoints, {
  getProjectUsage: (context, { params }) => summariseUsage(context, params.projectId),
});
