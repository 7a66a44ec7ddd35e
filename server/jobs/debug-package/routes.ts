import { debugPackageEndpoints } from '@platen/contract/debug-package';
import { routes } from '../../http/routes.ts';
import { sendTar } from '../../files/objects/download.ts';
import { packDebug } from './operations.ts';

export const debugPackageRoutes = routes(debugPackageEndpoints, {
  getProjectJobDebugPackage: async (context, { params, http }) => {
    const { name, pack } = await packDebug(context, params);
    return sendTar(name, pack, http);
  },
});
