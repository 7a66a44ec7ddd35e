import { endpoints } from './endpoint.ts';

export const debugPackageEndpoints = endpoints({
  getProjectJobDebugPackage: {
    method: 'GET',
    path: '/project/:projectId/job/:jobId/debug-package',
    tag: 'jobs',
    summary: 'Download the support package of a job as tar.gz',
    description:
      'Contains the job, its task, log, operations, runner and versions, the metadata of its inputs (not their content), and the files of the job. Passwords, tokens, URL queries and server paths are removed.',
    access: { permission: 'getJob' },
    download: true,
    mediaType: 'application/gzip',
    isExport: true,
  },
});
