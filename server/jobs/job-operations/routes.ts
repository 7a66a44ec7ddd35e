import { Readable } from 'node:stream';
import { jobOperationEndpoints } from '@platen/contract/job-log';
import { routes } from '../../http/routes.ts';
import {
  getOperation,
  getOutputsOfOperation,
  listOperations,
  listOperationSets,
  textOfOperationLog,
} from './operations.ts';

export const jobOperationRoutes = routes(jobOperationEndpoints, {
  getProjectJobOperations: (context, { params, query }) => listOperations(context, params.jobId, query),
  getProjectJobOperationSets: (context, { params, query }) => listOperationSets(context, params.jobId, query),
  getProjectJobOperation: (context, { params }) => getOperation(context, params),
  getProjectJobOperationLog: async (context, { params, http }) =>
    http.reply
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'private, no-cache' })
      .send(Readable.from(await textOfOperationLog(context, params))),
  getProjectJobOperationOutputs: (context, { params }) => getOutputsOfOperation(context, params),
});
