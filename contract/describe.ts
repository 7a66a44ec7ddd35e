import { apiEndpoints } from './api.ts';
import * as apps from './apps.ts';
import * as audit from './audit.ts';
import * as buckets from './buckets.ts';
import * as datasources from './datasources.ts';
import * as iam from './iam.ts';
import * as inspect from './inspect.ts';
import * as jobTypes from './job-types.ts';
import * as jobs from './jobs.ts';
import * as login from './login.ts';
import * as members from './members.ts';
import * as modules from './modules.ts';
import * as objects from './objects.ts';
import { openApi } from './openapi.ts';
import * as projects from './projects.ts';
import * as runner from './runner.ts';
import * as tasks from './tasks.ts';
import * as users from './users.ts';

/** Every exported schema gets its name in the code as its name in the document. */
const schemas = {
  ...login,
  ...users,
  ...iam,
  ...audit,
  ...projects,
  ...members,
  ...buckets,
  ...objects,
  ...inspect,
  ...datasources,
  ...jobTypes,
  ...jobs,
  ...tasks,
  ...modules,
  ...apps,
  ...runner,
};

/** The OpenAPI document of this very API. */
export function describeApi(version: string): Record<string, unknown> {
  return openApi({ endpoints: apiEndpoints, schemas, version });
}
