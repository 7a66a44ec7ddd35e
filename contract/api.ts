import { appEndpoints } from './apps.ts';
import { auditEndpoints } from './audit.ts';
import { bucketEndpoints } from './buckets.ts';
import { datasourceEndpoints } from './datasources.ts';
import { iamEndpoints } from './iam.ts';
import { inspectEndpoints } from './inspect.ts';
import { jobTypeEndpoints } from './job-types.ts';
import { jobEndpoints } from './jobs.ts';
import { loginEndpoints } from './login.ts';
import { memberEndpoints } from './members.ts';
import { moduleEndpoints } from './modules.ts';
import { objectEndpoints, uploadEndpoints } from './objects.ts';
import { projectEndpoints } from './projects.ts';
import { runnerEndpoints, runnerOutputEndpoints } from './runner.ts';
import { taskEndpoints } from './tasks.ts';
import { userEndpoints } from './users.ts';

/** Every endpoint of the API by its name. */
export const apiEndpoints = {
  ...loginEndpoints,
  ...userEndpoints,
  ...iamEndpoints,
  ...auditEndpoints,
  ...projectEndpoints,
  ...memberEndpoints,
  ...moduleEndpoints,
  ...appEndpoints,
  ...bucketEndpoints,
  ...objectEndpoints,
  ...uploadEndpoints,
  ...inspectEndpoints,
  ...datasourceEndpoints,
  ...taskEndpoints,
  ...jobEndpoints,
  ...jobTypeEndpoints,
  ...runnerEndpoints,
  ...runnerOutputEndpoints,
} as const;
