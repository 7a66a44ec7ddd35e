import { modulePreviewEndpoints } from '@platen/contract/module-preview';
import { routes } from '../../http/routes.ts';
import { previewModules } from './operations.ts';

export const modulePreviewRoutes = routes(modulePreviewEndpoints, {
  postProjectModulePreview: (context, { caller, params, body }) =>
    previewModules(context, caller, { ...params, body }),
});
