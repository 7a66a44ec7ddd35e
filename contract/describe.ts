import { apiEndpoints } from './api.ts';
import * as audit from './audit.ts';
import * as iam from './iam.ts';
import * as login from './login.ts';
import * as members from './members.ts';
import { openApi } from './openapi.ts';
import * as projects from './projects.ts';
import * as users from './users.ts';

/** The OpenAPI document of this very API, with its schemas named as in the code. */
export function describeApi(version: string): Record<string, unknown> {
  const schemas = { ...login, ...users, ...iam, ...audit, ...projects, ...members };
  return openApi({ endpoints: apiEndpoints, schemas, version });
}
