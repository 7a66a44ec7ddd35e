import { datasourceProbeEndpoints } from '@platen/contract/datasource-probe';
import { abortOnDisconnect } from '../../http/abort-on-disconnect.ts';
import { routes } from '../../http/routes.ts';
import { probeAddress } from './operations.ts';

export const datasourceProbeRoutes = routes(datasourceProbeEndpoints, {
  postProjectDatasourceProbe: (context, { body, http: { reply } }) =>
    probeAddress(context, { ...body, signal: abortOnDisconnect(reply) }),
});
