import { jobEndpoints } from '@platen/contract/jobs';
import { routes } from '../http/routes.ts';
import { abortJob, getJob, listJobs, readLog, removeJob } from './operations.ts';

export const jobRoutes = routes(jobEndpoints, {
  getProjectJobs: (context, { params, query }) => listJobs(context, params.projectId, query),
  getProjectJob: (context, { params }) => getJob(context, params.projectId, params.jobId),
  deleteProjectJob: (context, { params }) => removeJob(context, params.projectId, params.jobId),
  putProjectJobAbort: (context, { caller, params }) => abortJob(context, caller, params),
  getProjectJobLog: (context, { params, query }) => readLog(context, params.jobId, query),
});
