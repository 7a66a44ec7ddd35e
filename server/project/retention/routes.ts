import { cleanupEndpoints } from '@platen/contract/cleanups';
import { routes } from '../../http/routes.ts';
import { cleanUpNow, listCleanups, listDataBucketCleanups } from './operations.ts';

export const retentionRoutes = routes(cleanupEndpoints, {
  getAdminCleanups: (context, { query }) => listCleanups(context, query),
  getAdminDataBucketCleanup: (context, { query }) => listDataBucketCleanups(context, query),
  postAdminCleanup: (context) => cleanUpNow(context),
});
