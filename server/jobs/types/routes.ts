import { jobTypeEndpoints } from '@platen/contract/job-types';
import { routes } from '../../http/routes.ts';
import { getJobType, listJobTypes } from './operations.ts';

export const jobTypeRoutes = routes(jobTypeEndpoints, {
  getJobTypes: async () => listJobTypes(),
  getJobType: async (_context, { params }) => getJobType(params.jobType),
});
