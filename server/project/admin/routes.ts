import { adminEndpoints } from '@platen/contract/admin';
import { routes } from '../../http/routes.ts';
import { listAllJobs, listAllTasks } from './operations.ts';

export const adminRoutes = routes(adminEndpoints, {
  getAdminJobs: (context, { query }) => listAllJobs(context, query),
  getAdminTasks: (context, { caller, query }) => listAllTasks(context, caller, query),
});
