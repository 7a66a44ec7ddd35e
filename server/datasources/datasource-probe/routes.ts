import { datasourceProbeEndpoints } from '@platen/contract/datasource-probe';
import { abortOnDisconnect } from '../../http/abort-on-disconnect.ts';
import { routes } from '../../http/routes.ts';
import { probeAddress } from './operations.ts';

export const datasourceProbeRoutes = routes(datasourceProbeEndpoints, {
  postProjectDatasourceProbe: (context, { params, body, http: { reply } }) =>
    probeAddress(context, { projectId: params.projectId, url: body.url, signal: abortOnDisconnect(reply) }),
});
