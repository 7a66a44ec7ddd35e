import { endpoints } from './endpoint.ts';

export const bundleEndpoints = endpoints({
  getProjectAppDownload: {
    method: 'GET',
    path: '/project/:projectId/app/:appId/download',
    tag: 'apps',
    summary: 'Download an app with its data and the map viewer as tar.gz',
    description:
      'A folder that any static web server can serve, identical to what publishing to a destination writes. It contains the current release or, without one, the draft.',
    access: { permission: 'publishApp', orCreator: true },
    download: true,
    mediaType: 'application/gzip',
    isExport: true,
    errors: ['unprocessable', 'unusable_reference', 'too_large'],
  },
  getProjectScenarioDownload: {
    method: 'GET',
    path: '/project/:projectId/scenario/:scenarioId/download',
    tag: 'scenarios',
    summary: 'Download the modules of a scenario with their data as tar.gz',
    access: { permission: 'getModule', orCreator: true },
    download: true,
    mediaType: 'application/gzip',
    isExport: true,
    errors: ['too_large'],
  },
});
