import { accessTokenEndpoints } from './access-tokens.ts';
import { addonEndpoints } from './addons.ts';
import { adminEndpoints } from './admin.ts';
import { appPageEndpoints, appPictureUploadEndpoints } from './app-page.ts';
import { appEndpoints } from './apps.ts';
import { auditEndpoints } from './audit.ts';
import { baseMapEndpoints } from './base-maps.ts';
import { bucketEndpoints } from './buckets.ts';
import { bundleEndpoints } from './bundles.ts';
import { capabilityEndpoints } from './capabilities.ts';
import { cleanupEndpoints } from './cleanups.ts';
import { credentialEndpoints } from './credentials.ts';
import { datasourceProbeEndpoints } from './datasource-probe.ts';
import { styleFileEndpoints } from './style-files.ts';
import { datasourceEndpoints } from './datasources.ts';
import { lineageEndpoints } from './lineage.ts';
import { debugPackageEndpoints } from './debug-package.ts';
import { eventEndpoints } from './events.ts';
import { guestEndpoints } from './guests.ts';
import { iamEndpoints } from './iam.ts';
import { inspectEndpoints } from './inspect.ts';
import { jobFileEndpoints, runnerFileEndpoints } from './job-files.ts';
import { jobLogEndpoints, jobOperationEndpoints } from './job-log.ts';
import { jobTypeEndpoints } from './job-types.ts';
import { jobEndpoints } from './jobs.ts';
import { loginEndpoints } from './login.ts';
import { mapPluginEndpoints, mapPluginUploadEndpoints } from './map-plugins.ts';
import { loginCredentialEndpoints } from './login-credentials.ts';
import { memberEndpoints } from './members.ts';
import { modulePreviewEndpoints } from './module-preview.ts';
import { moduleEndpoints } from './modules.ts';
import { objectInfoEndpoints } from './object-info.ts';
import { objectSampleEndpoints } from './object-sample.ts';
import { objectEndpoints, uploadEndpoints } from './objects.ts';
import { openInEndpoints } from './open-in.ts';
import { openJobsEndpoints } from './open-jobs.ts';
import { projectEndpoints } from './projects.ts';
import { releaseEndpoints } from './releases.ts';
import { datasourceRevisionEndpoints, objectRevisionEndpoints } from './revisions.ts';
import { publicAppEndpoints } from './public-apps.ts';
import { publishEndpoints } from './publish.ts';
import { registrationEndpoints } from './runner-registration.ts';
import { runnerBundleEndpoints } from './runner-bundle.ts';
import { runnerEndpoints } from './runner.ts';
import { runnerOutputEndpoints } from './runner-outputs.ts';
import { adminRunnerEndpoints } from './runners.ts';
import { scenarioEndpoints } from './scenarios.ts';
import { scheduleEndpoints } from './schedules.ts';
import { searchEndpoints } from './search.ts';
import { serviceEndpoints } from './service-settings.ts';
import { shareLinkEndpoints } from './share-links.ts';
import { taskRunEndpoints } from './task-runs.ts';
import { taskEndpoints } from './tasks.ts';
import { trashEndpoints } from './trash.ts';
import { tusEndpoints } from './uploads.ts';
import { usageEndpoints } from './usage.ts';
import { uploadFromUrlEndpoints } from './upload-from-url.ts';
import { usedByEndpoints } from './used-by.ts';
import { userEndpoints } from './users.ts';

/** Every endpoint of the API by its name. */
export const apiEndpoints = {
  ...serviceEndpoints,
  ...publicAppEndpoints,
  ...loginEndpoints,
  ...accessTokenEndpoints,
  ...userEndpoints,
  ...iamEndpoints,
  ...auditEndpoints,
  ...searchEndpoints,
  ...adminEndpoints,
  ...addonEndpoints,
  ...cleanupEndpoints,
  ...projectEndpoints,
  ...usageEndpoints,
  ...memberEndpoints,
  ...moduleEndpoints,
  ...modulePreviewEndpoints,
  ...appEndpoints,
  ...mapPluginEndpoints,
  ...mapPluginUploadEndpoints,
  ...appPageEndpoints,
  ...appPictureUploadEndpoints,
  ...bundleEndpoints,
  ...capabilityEndpoints,
  ...shareLinkEndpoints,
  ...guestEndpoints,
  ...releaseEndpoints,
  ...scenarioEndpoints,
  ...credentialEndpoints,
  ...loginCredentialEndpoints,
  ...publishEndpoints,
  ...baseMapEndpoints,
  ...bucketEndpoints,
  ...objectEndpoints,
  ...objectInfoEndpoints,
  ...objectSampleEndpoints,
  ...uploadEndpoints,
  ...tusEndpoints,
  ...uploadFromUrlEndpoints,
  ...inspectEndpoints,
  ...datasourceEndpoints,
  ...lineageEndpoints,
  ...datasourceProbeEndpoints,
  ...styleFileEndpoints,
  ...objectRevisionEndpoints,
  ...datasourceRevisionEndpoints,
  ...usedByEndpoints,
  ...trashEndpoints,
  ...taskEndpoints,
  ...taskRunEndpoints,
  ...scheduleEndpoints,
  ...jobEndpoints,
  ...eventEndpoints,
  ...jobLogEndpoints,
  ...jobOperationEndpoints,
  ...jobFileEndpoints,
  ...debugPackageEndpoints,
  ...jobTypeEndpoints,
  ...adminRunnerEndpoints,
  ...registrationEndpoints,
  ...runnerEndpoints,
  ...runnerOutputEndpoints,
  ...runnerFileEndpoints,
  ...runnerBundleEndpoints,
  ...openJobsEndpoints,
  ...openInEndpoints,
} as const;
