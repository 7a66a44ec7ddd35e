import { uploadFromUrlEndpoints } from '@platen/contract/upload-from-url';
import { routes } from '../../http/routes.ts';
import { uploadFromUrl } from './operations.ts';

export const uploadFromUrlRoutes = routes(uploadFromUrlEndpoints, {
  postProjectDataBucketUploadFromUrl: (context, { caller, params, body }) =>
    uploadFromUrl(context, caller, { ...params, body }),
});
