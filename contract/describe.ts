import { apiEndpoints } from './api.ts';
import * as apps from './apps.ts';
import * as audit from './audit.ts';
import * as buckets from './buckets.ts';
import * as credentials from './credentials.ts';
import * as datasourceFacts from './datasource-facts.ts';
import * as datasources from './datasources.ts';
import * as events from './events.ts';
import type { Examples } from './examples.ts';
import * as iam from './iam.ts';
import * as inspect from './inspect.ts';
import * as jobTypes from './job-types.ts';
import * as jobEnd from './job-end.ts';
import * as jobs from './jobs.ts';
import * as jobOperations from './job-operations.ts';
import * as loginCredentials from './login-credentials.ts';
import * as lineage from './lineage.ts';
import * as login from './login.ts';
import * as members from './members.ts';
import * as modules from './modules.ts';
import * as objects from './objects.ts';
import { openApi } from './openapi.ts';
import * as projects from './projects.ts';
import * as publish from './publish.ts';
import * as registration from './runner-registration.ts';
import * as runner from './runner.ts';
import * as runners from './runners.ts';
import * as scenarios from './scenarios.ts';
import * as schedules from './schedules.ts';
import * as taskRuns from './task-runs.ts';
import * as tasks from './tasks.ts';
import { typedSchemas, type ParameterSchemas } from './typed-schemas.ts';
import * as uploads from './uploads.ts';
import * as usage from './usage.ts';
import * as users from './users.ts';

/** Each exported schema keeps its name in the document. */
const schemas = {
  ...login,
  ...users,
  ...iam,
  ...audit,
  ...projects,
  ...usage,
  ...members,
  ...buckets,
  ...objects,
  ...uploads,
  ...inspect,
  ...datasourceFacts,
  ...datasources,
  ...lineage,
  ...jobTypes,
  ...jobs,
  ...jobOperations,
  ...jobEnd,
  ...schedules,
  ...tasks,
  ...taskRuns,
  ...events,
  ...modules,
  ...apps,
  ...scenarios,
  ...loginCredentials,
  ...credentials,
  ...publish,
  ...runner,
  ...registration,
  ...runners,
};

interface Details {
  readonly parameters: ParameterSchemas;
  readonly examples?: Examples;
}

/** The OpenAPI document of this API. */
export function describeApi(
  version: string,
  { parameters, examples = {} }: Details,
): Record<string, unknown> {
  const typed = typedSchemas(parameters);
  return openApi({
    endpoints: apiEndpoints,
    schemas: { ...schemas, ...typed.schemas },
    precise: typed.precise,
    examples,
    version,
  });
}
