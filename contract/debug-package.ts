import { endpoints } from './endpoint.ts';

export const debugPackageEndpoints = endpoints({
  getProjectJobDebugPackage: {
    method: 'GET',
    path: '/project/:projectId/job/:jobId/debug-package',
    tag: 'jobs',
    summary: 'Download all that is known of a job as one tar.gz, to look into it or to pass it on',
    description:
      'The job, its task, log, operations, runner and versions, what its inputs are now, without their content, and the files of the job. Passwords and tokens, queries of addresses and paths of the server are left out.',
    access: { permission: 'getJob' },
    download: true,
  },
});
