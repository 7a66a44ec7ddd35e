import { jobFileEndpoints, runnerFileEndpoints } from '@platen/contract/job-files';
import { bytesOf, withByteBodies } from '../../http/byte-bodies.ts';
import { abortOnDisconnect } from '../../http/abort-on-disconnect.ts';
import { routes } from '../../http/routes.ts';
import { sendFile } from '../../files/objects/download.ts';
import { getJobFile, listJobFiles } from './operations.ts';
import { getRejects, publishRejects } from './rejects.ts';
import { takeJobFile } from './take-file.ts';

export const jobFileRoutes = routes(jobFileEndpoints, {
  getProjectJobFiles: (context, { params }) => listJobFiles(context, params),
  getProjectJobFile: async (context, { params, query, http }) =>
    sendFile(context, await getJobFile(context, { ...params, ...query }), http),
  getProjectJobRejects: async (context, { params, http }) =>
    sendFile(context, await getRejects(context, params), http),
  postProjectJobRejectsDatasource: (context, { caller, params, body }) =>
    publishRejects(context, caller, { ...params, body }),
});

export const runnerFileRoutes = withByteBodies(
  routes(runnerFileEndpoints, {
    putRunnerJobFile: (context, { caller, query, http: { request, reply } }) =>
      takeJobFile(context, caller, {
        ...query,
        ...bytesOf(request, context),
        signal: abortOnDisconnect(reply),
      }),
  }),
);
