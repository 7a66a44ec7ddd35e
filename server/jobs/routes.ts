import { jobEndpoints } from '@platen/contract/jobs';
import { routes } from '../http/routes.ts';
import { abortJob, getJob, listJobs, removeJob } from './operations.ts';
import { listOutputs } from './outputs.ts';
import { removeJobWithOutputs } from './remove-with-outputs.ts';

export const jobRoutes = routes(jobEndpoints, {
  getProjectJobs: (context, { params, query }) => listJobs(context, params.projectId, query),
  getProjectJob: (context, { params }) => getJob(context, params.projectId, params.jobId),
  getProjectJobOutputs: (context, { params, query }) => listOutputs(context, params, query),
  deleteProjectJob: (context, { caller, params, query: { outputs, force = false } }) =>
    outputs
      ? removeJobWithOutputs(context, caller, { ...params, force })
      : removeJob(context, params.projectId, params.jobId),
  putProjectJobAbort: (context, { caller, params }) => abortJob(context, caller, params),
});
