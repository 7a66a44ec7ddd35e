import type { Access, Endpoint } from '@platen/contract/endpoint';
import { paramsOf } from '@platen/contract/endpoint';
import type { Permission } from '@platen/contract/permission';
import type { Lookup, Lookups } from '../../base/database/lookups.ts';
import { Failure, notFound } from '../../base/failure.ts';
import { may, type Caller, type Credential } from '../../base/caller.ts';
import { requireTokenReach } from './token-reach.ts';
import { permissionsOf, type RoleName } from './roles.ts';

/** Tables of the project resources that a path can name. */
const resourceTables = {
  dataBucketId: { table: 'data_bucket', word: 'data bucket' },
  datasourceId: { table: 'datasource', word: 'datasource' },
  taskId: { table: 'task', word: 'task' },
  jobId: { table: 'job', word: 'job' },
  moduleId: { table: 'module', word: 'module' },
  appId: { table: 'app', word: 'app' },
  scenarioId: { table: 'scenario', word: 'scenario' },
  credentialId: { table: 'credential', word: 'credentials' },
} as const;

type ResourceParam = keyof typeof resourceTables;

interface AuthorisationRow {
  user_id: string;
  username: string;
  is_admin: boolean;
  is_super_user: boolean;
  kind: Caller['tokenKind'];
  scope: 'read' | 'write';
  token_project_id: string | null;
  token_created_at: Date;
  ends_at: Date;
  last_seen_at: Date;
  project_id: string | null;
  role_id: RoleName | null;
  resource_id: string | null;
  created_by: string | null;
  is_guest: boolean;
}

type Params = Readonly<Record<string, string>>;

export type AuthorisedEndpoint = Pick<Endpoint, 'path' | 'access' | 'accessTokens'> &
  Partial<Pick<Endpoint, 'method'>>;

/**
 * Authorises a request before its body is read, in one round trip: finds the user of the token, their permissions in
 * the project of the path, and whether the resource of the path exists in it.
 * @throws Failure `unauthenticated`, `not_found` (absent, or hidden from the caller) or `forbidden`
 */
export async function authorise(
  lookups: Lookups,
  endpoint: AuthorisedEndpoint,
  params: Params,
  credential: Credential,
): Promise<Caller> {
  const { path, access } = endpoint;
  const resource = resourceOf(path);
  const found = await find(lookups, params, resource, credential);
  if (!found)
    throw new Failure('unauthenticated', 'The token is missing, unknown or expired. Sign in again.');
  const caller = callerOf(found, credential);
  if (found.kind === 'access') requireTokenReach(endpoint, params['projectId'], found);
  if (params['projectId'] !== undefined) requireVisible(caller, found, resource);
  requireAccess(access, caller, params, found);
  return caller;
}

/** Authorises for a project that is not in the path. */
export function authoriseInProject(
  lookups: Lookups,
  permission: Permission,
  projectId: string,
  caller: Caller,
  now: Date,
): Promise<Caller> {
  const credential = { hash: caller.tokenHash, address: caller.address, userAgent: caller.userAgent, now };
  return authorise(lookups, { path: '', access: { permission } }, { projectId }, credential);
}

const resourcesByPath = new Map<string, ResourceParam | undefined>();

/** The resource in the project that a path names. */
function resourceOf(path: string): ResourceParam | undefined {
  if (!resourcesByPath.has(path)) {
    const resource = paramsOf(path).find((name): name is ResourceParam => name in resourceTables);
    resourcesByPath.set(path, resource);
  }
  return resourcesByPath.get(path);
}

/** One fixed text per type of resource: every request uses it, so nothing is concatenated. */
function lookupFor(resource: ResourceParam | undefined): Lookup {
  const resourceJoin = resource
    ? `left join ${resourceTables[resource].table} x on x.project_id = p.id and x.id = $4`
    : '';
  const guest = 'exists (select from app_guest g where g.app_id = x.id and g.user_id = u.id)';
  const text = `select u.id as user_id, u.username, u.is_admin, u.is_super_user,
      t.kind, t.scope, t.project_id as token_project_id, t.created_at as token_created_at, t.ends_at, t.last_seen_at,
      p.id as project_id, m.role_id, ${resource === 'appId' ? guest : 'false'} as is_guest,
      ${resource ? 'x.id' : 'null'} as resource_id, ${resource ? 'x.created_by' : 'null'} as created_by
    from token t
    join user_account u on u.id = t.user_id and u.is_active
    left join project p on p.id = $3 and p.deleted_at is null
    left join membership m on m.project_id = p.id and m.user_id = u.id
    ${resourceJoin}
    where t.hash = $1 and t.expires_at > $2`;
  return { name: `authorise ${resource ?? ''}`, text };
}

const known = new Map<ResourceParam | undefined, Lookup>();

function find(
  lookups: Lookups,
  params: Params,
  resource: ResourceParam | undefined,
  { hash, now }: Credential,
): Promise<AuthorisationRow | undefined> {
  const lookup = known.get(resource) ?? lookupFor(resource);
  known.set(resource, lookup);
  const values = [hash, now, params['projectId'] ?? '', ...(resource ? [params[resource]] : [])];
  return lookups.find<AuthorisationRow>(lookup, values);
}

function callerOf(found: AuthorisationRow, { hash, address, userAgent }: Credential): Caller {
  return {
    userId: found.user_id,
    username: found.username,
    isAdmin: found.is_admin || found.is_super_user,
    isSuperUser: found.is_super_user,
    tokenHash: hash,
    tokenKind: found.kind,
    ...(found.token_project_id !== null && { tokenProjectId: found.token_project_id }),
    tokenSince: found.token_created_at,
    tokenSeen: found.last_seen_at,
    tokenEnds: found.ends_at,
    address,
    userAgent,
    ...permissionsAndRole(found),
  };
}

type RoleRow = Pick<AuthorisationRow, 'project_id' | 'is_super_user' | 'is_admin' | 'role_id' | 'is_guest'>;

/** The permissions of an active user, from flags and role. */
export function permissionsAndRole(found: RoleRow): Pick<Caller, 'permissions' | 'role'> {
  if (found.project_id === null) return { permissions: permissionsOf.nobody, role: 'none' };
  if (found.is_super_user) return { permissions: permissionsOf.superUser, role: 'global' };
  const rolePermissions = found.role_id && permissionsOf[found.role_id];
  if (found.is_admin) {
    const both = rolePermissions
      ? new Set([...permissionsOf.admin, ...rolePermissions])
      : permissionsOf.admin;
    return { permissions: both, role: found.role_id ?? 'global' };
  }
  if (rolePermissions) {
    const both = found.is_guest ? new Set([...rolePermissions, ...permissionsOf.appGuest]) : rolePermissions;
    return { permissions: both, role: found.role_id ?? 'none' };
  }
  if (found.is_guest) return { permissions: permissionsOf.appGuest, role: 'appGuest' };
  return { permissions: permissionsOf.nobody, role: 'none' };
}

/** Hides a project from callers without any permission in it. */
function requireVisible(caller: Caller, found: AuthorisationRow, resource: ResourceParam | undefined): void {
  if (caller.role === 'none') throw notFound('project');
  if (resource && found.resource_id === null) throw notFound(resourceTables[resource].word);
}

function requireAccess(access: Access, caller: Caller, params: Params, found: AuthorisationRow): void {
  if (access === 'superUser' && !caller.isSuperUser) throw refused(caller, 'Only super users may do this.');
  if (access === 'admin' && !caller.isAdmin) throw refused(caller, 'Only administrators may do this.');
  if (access === 'selfOrAdmin' && !caller.isAdmin && params['userId'] !== caller.userId) {
    throw refused(caller, 'Only administrators may do this for other users.');
  }
  if (typeof access === 'object') requireProjectPermission(access, caller, found);
}

function requireProjectPermission(
  { permission, orCreator }: { permission: Permission; orCreator?: true },
  caller: Caller,
  found: AuthorisationRow,
): void {
  if (may(caller, permission)) return;
  if (orCreator && found.created_by === caller.userId && may(caller, 'getProject')) return;
  throw refused(caller, `You need the permission ${permission} in this project.`);
}

const refused = ({ userId: actorId }: Caller, message: string) =>
  new Failure('forbidden', message, { actorId });
