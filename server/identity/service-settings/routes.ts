import { serviceEndpoints } from '@platen/contract/service-settings';
import { routes } from '../../http/routes.ts';
import { changeSettings, describeService, getSettings } from './operations.ts';

export const serviceRoutes = routes(serviceEndpoints, {
  getService: (context) => describeService(context),
  getAdminSettings: (context) => getSettings(context),
  putAdminSettings: (context, { caller, body, ifMatch }) =>
    changeSettings(context, caller, { body, ifMatch }),
});
