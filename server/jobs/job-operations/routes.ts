import { jobOperationEndpoints } from '@platen/contract/job-log';
import { routes } from '../../http/routes.ts';
import { getOperation, listOperations, listOutputsOfOperation, readLogOfOperation } from './operations.ts';

export const jobOperationRoutes = routes(jobOperationEndpoints, {
  getProjectJobOperations: (context, { params, query }) => listOperations(context, params.jobId, query),
  getProjectJobOperation: (context, { params }) => getOperation(context, params),
  getProjectJobOperationLog: (context, { params, query }) => readLogOfOperation(context, params, query),
  getProjectJobOperationOutputs: (context, { params, query }) =>
    listOutputsOfOperation(context, params, query),
});
