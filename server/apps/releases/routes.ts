import { releaseEndpoints } from '@platen/contract/releases';
import { routes } from '../../http/routes.ts';
import { compareRelease } from './diff.ts';
import {
  createRelease,
  getRelease,
  listReleases,
  removeRelease,
  restoreRelease,
  showNoRelease,
} from './operations.ts';

export const releaseRoutes = routes(releaseEndpoints, {
  postProjectAppRelease: (context, { caller, params, body }) =>
    createRelease(context, caller, { ...params, body }),
  getProjectAppReleases: (context, { caller, params, query }) =>
    listReleases(context, caller, { ...params, query }),
  getProjectAppRelease: (context, { caller, params }) => getRelease(context, caller, params),
  getProjectAppReleaseDiff: (context, { caller, params, query }) =>
    compareRelease(context, caller, { ...params, with: query.with }),
  postProjectAppReleaseRestore: (context, { caller, params, ifMatch }) =>
    restoreRelease(context, caller, { ...params, ifMatch }),
  deleteProjectAppRelease: (context, { caller, params }) => removeRelease(context, caller, params),
  deleteProjectAppShownRelease: (context, { caller, params }) => showNoRelease(context, caller, params),
});
