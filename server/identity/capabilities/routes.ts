import { capabilityEndpoints } from '@platen/contract/capabilities';
import { secretOf } from '../../http/credentials.ts';
import { routes } from '../../http/routes.ts';
import { createCapability, revokeCapabilities, revokeOwnCapability } from './operations.ts';

export const capabilityRoutes = routes(capabilityEndpoints, {
  postProjectAppCapability: (context, { params, http: { request } }) =>
    createCapability(context, { ...params, loginSecret: secretOf(request, context.settings.baseUrl)! }),
  deleteProjectAppCapability: (context, { caller, params }) => revokeOwnCapability(context, caller, params),
  deleteProjectAppCapabilities: (context, { params }) => revokeCapabilities(context, params),
});
