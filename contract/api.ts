import { auditEndpoints } from './audit.ts';
import { bucketEndpoints } from './buckets.ts';
import { iamEndpoints } from './iam.ts';
import { loginEndpoints } from './login.ts';
import { memberEndpoints } from './members.ts';
import { moduleEndpoints } from './modules.ts';
import { objectEndpoints, uploadEndpoints } from './objects.ts';
import { projectEndpoints } from './projects.ts';
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
  ...bucketEndpoints,
  ...objectEndpoints,
  ...uploadEndpoints,
} as const;
