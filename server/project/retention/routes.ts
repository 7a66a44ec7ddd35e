import { cleanupEndpoints } from '@platen/contract/cleanups';
import { requireOwnPage } from '../../http/credentials.ts';
import { routes } from '../../http/routes.ts';
import { cleanupTask, requireCron } from './cleanup-task.ts';
import { cleanUpNow, listCleanups, listDataBucketCleanups } from './operations.ts';

export const retentionRoutes = routes(cleanupEndpoints, {
  getAdminCleanups: (context, { query }) => listCleanups(context, query),
  getAdminDataBucketCleanup: (context, { query }) => listDataBucketCleanups(context, query),
  postAdminCleanup: (context) => cleanUpNow(context),
  getAdminRunDataBucketCleanup: async (context, { http: { request } }) => {
    requireOwnPage(request, 'POST /admin/cleanup');
    await cleanUpNow(context);
    return cleanupTask(context);
  },
  putAdminDataBucketCleanupTask: async (context, { body }) => {
    requireCron(body);
    return cleanupTask(context);
  },
  getAdminLegacyDatasourceCleanup: async () => [],
  putAdminLegacyDatasourceCleanup: async () => {},
});
