import type { DatasourceType } from '@platen/contract/datasource-types';
import type { SourceProperties } from '@platen/contract/datasources';
import type { Permission } from '@platen/contract/permission';
import { sql, type RawBuilder } from 'kysely';
import { inLiveProject } from '../../base/database/live-projects.ts';
import type { Db } from '../../base/database/database.ts';
import { permissionsOf, type RoleName } from '../../identity/iam/roles.ts';
import {
  mergeScopes,
  liveApps,
  liveVisibleApps,
  emptyScope,
  pinnedRevisions,
  opensAnything,
  revisionsVisibleAfter,
  visibleRevisions,
  type ReadScope,
} from './read-scope.ts';

/** The columns of a datasource that serving needs. */
export interface ServedDatasource {
  readonly _id: string;
  readonly type: DatasourceType;
  readonly sourceProperties: SourceProperties;
  readonly bucketId: string | null;
  readonly bucketKey: string | null;
  readonly servedFolder: string | null;
  /** Earlier names of the file. */
  readonly formerNames: readonly string[];
}

export interface AccessDecision {
  /** undefined if it does not exist or the reader has no access. */
  readonly datasource: ServedDatasource | undefined;
  /** The revisions that this reader may read. */
  readonly scope: ReadScope;
  /** The revisions that everyone may read because public apps show them. */
  readonly publicScope: ReadScope;
  /** The current revision. */
  readonly current: number;
  /** The secret of the request is unknown. */
  readonly isUnknownReader: boolean;
}

interface DatasourceRow {
  id: string | null;
  type: DatasourceType;
  source_properties: SourceProperties;
  bucket_id: string | null;
  bucket_key: string | null;
  served_folder: string | null;
  former_names: string[];
  data_revision: number;
  user_id: string | null;
  is_admin: boolean;
  is_super_user: boolean;
  role_id: RoleName | null;
}

const datasourceColumns = sql`d.id, d.type, d.source_properties, d.bucket_id, d.bucket_key, d.served_folder, d.former_names,
  d.data_revision`;

interface ScopeRow {
  is_public: boolean;
  is_guest: boolean;
  public_revisions: number[];
  guest_revisions: number[];
  is_of_other_project: boolean;
}

/**
 * Decides who may read the data of a datasource, in one round trip: users with getDatasource in its project, guests of an
 * app that uses it, and everyone if such an app is public. An app that shows a release opens the revisions that the release
 * pins, any other app the current data. An app can read only what its user can read now, not when it was published.
 */
export function decide(
  db: Db,
  datasourceId: string,
  tokenHash: Buffer | undefined,
  now: Date,
): Promise<AccessDecision> {
  return decideWith(db, { datasourceId, tokenHash, now, pinned: visibleRevisions(now) });
}

/** Decides for a reader without an open map: of releases, only visible ones count, without a grace period. */
export function decideForNewReader(
  db: Db,
  datasourceId: string,
  tokenHash: Buffer | undefined,
  now: Date,
): Promise<AccessDecision> {
  return decideWith(db, { datasourceId, tokenHash, now, pinned: revisionsVisibleAfter(now) });
}

interface AccessQuery {
  readonly datasourceId: string;
  readonly tokenHash: Buffer | undefined;
  readonly now: Date;
  /** SQL: revisions of `d` that releases of apps `a` open. */
  readonly pinned: RawBuilder<unknown>;
}

async function decideWith(
  db: Db,
  { datasourceId, tokenHash, now, pinned }: AccessQuery,
): Promise<AccessDecision> {
  const isGuest = sql`exists (select from app_guest g where g.app_id = a.id and g.user_id = u.user_id)`;
  const { rows } = await sql<DatasourceRow & ScopeRow>`
    select ${datasourceColumns}, u.user_id, u.is_admin, u.is_super_user, m.role_id,
      coalesce(u.project_id <> d.project_id, false) as is_of_other_project,
      exists (select from ${liveVisibleApps} and a.is_public) as is_public,
      exists (select from ${liveVisibleApps} and ${isGuest}) as is_guest,
      array(select ${pinned} and a.is_public) as public_revisions,
      array(select ${pinned} and ${isGuest}) as guest_revisions
    from (values (1)) one
    left join datasource d on d.id = ${datasourceId} and ${isLive}
    left join (select t.hash, t.project_id, a.id as user_id, a.is_admin, a.is_super_user
      from token t join user_account a on a.id = t.user_id and a.is_active
      where t.expires_at > ${now}) u on u.hash = ${tokenHash ?? Buffer.alloc(0)}
    left join membership m on m.project_id = d.project_id and m.user_id = u.user_id`.execute(db);
  const row = rows[0]!;
  const publicScope = { all: row.is_public, revisions: row.public_revisions };
  const ownScope = {
    all: row.is_guest || hasPermission(row, 'getDatasource'),
    revisions: row.guest_revisions,
  };
  // an access token opens only what is public of other projects than its own
  const scope = row.is_of_other_project ? publicScope : mergeScopes(publicScope, ownScope);
  return {
    ...withScope(row, scope),
    publicScope,
    isUnknownReader: tokenHash !== undefined && row.user_id === null,
  };
}

export interface CapabilityDecision extends AccessDecision {
  /** When the capability ends without another use; undefined if it does not exist. */
  readonly expires: Date | undefined;
  /** The capability belongs to a visit of a share link, not to a login. */
  readonly isVisit: boolean;
  /** When the capability ends regardless of use. */
  readonly ends: Date | undefined;
}

interface CapabilityRow {
  expires_at: Date;
  ends_at: Date | null;
  /** For a share link: `current`, `draft` or the ID of a release. */
  shows: string | null;
  is_visible_app: boolean;
  is_creator: boolean;
  is_live: boolean;
  is_live_visible: boolean;
  revisions: number[];
  visible_revisions: number[];
}

/** Nothing in a deleted project can be read. */
const isLive = inLiveProject('d.project_id');

/**
 * Decides for the holder of a capability. A login's capability opens what its app shows while the user may see the app and
 * the login lasts; users who may read the app also see its draft and all releases. A share link's visitor reads what the link
 * shows while the link exists. Rights are those of now; a capability made after a release was replaced does not open it.
 */
export async function decideByCapability(
  db: Db,
  datasourceId: string,
  hash: Buffer,
  now: Date,
): Promise<CapabilityDecision> {
  const ofApp = sql`a.id = c.app_id`;
  const { rows } = await sql<DatasourceRow & CapabilityRow>`
    select ${datasourceColumns}, c.user_id, u.is_admin, u.is_super_user, m.role_id, c.expires_at, c.ends_at, c.shows,
      (app.created_by = u.id and m.role_id is not null) as is_creator,
      (app.is_public or exists (select from app_guest g where g.app_id = app.id and g.user_id = u.id)) as is_visible_app,
      exists (select from ${liveApps} and ${ofApp}) as is_live,
      exists (select from ${liveVisibleApps} and ${ofApp}) as is_live_visible,
      array(select ${pinnedRevisions} and ${ofApp} and (c.shows is null or c.shows = p.release_id)) as revisions,
      array(select ${visibleRevisions(now)} and ${ofApp} and p.shown_until > c.since) as visible_revisions
    from (
      select c.app_id, c.project_id, c.user_id, c.expires_at, null::timestamptz as ends_at, null as shows,
        c.created_at as since
      from capability c join token t on t.hash = c.login_hash and t.expires_at > ${now}
      where c.hash = ${hash} and c.expires_at > ${now}
      union all
      select l.app_id, l.project_id, null, v.expires_at, l.expires_at, l.shows, v.opened_at
      from share_visit v join share_link l on l.id = v.link_id
      where v.hash = ${hash} and v.expires_at > ${now} and v.opened_at is not null
        and (l.expires_at is null or l.expires_at > ${now})
    ) c
    join app on app.id = c.app_id
    left join user_account u on u.id = c.user_id and u.is_active
    left join membership m on m.project_id = c.project_id and m.user_id = c.user_id
    left join datasource d on d.id = ${datasourceId} and ${isLive}
    where c.shows is not null or u.id is not null`.execute(db);
  const [row] = rows;
  return {
    ...withScope(row, row ? scopeOfCapability(row) : emptyScope),
    publicScope: emptyScope,
    isUnknownReader: row === undefined,
    expires: row?.expires_at,
    isVisit: row !== undefined && row.shows !== null,
    ends: row?.ends_at ?? undefined,
  };
}

function scopeOfCapability(row: DatasourceRow & CapabilityRow): ReadScope {
  const shown = { all: row.is_live_visible, revisions: row.visible_revisions };
  if (row.shows === null) {
    const mayReadApp = row.is_creator || hasPermission(row, 'getApp');
    if (mayReadApp) return { all: row.is_live, revisions: row.revisions };
    return row.is_visible_app ? shown : emptyScope;
  }
  if (row.shows === 'current') return shown;
  return row.shows === 'draft'
    ? { all: row.is_live, revisions: [] }
    : { all: false, revisions: row.revisions };
}

/** Hides a datasource from readers whose scope is empty. */
function withScope(
  row: DatasourceRow | undefined,
  scope: ReadScope,
): Pick<AccessDecision, 'datasource' | 'scope' | 'current'> {
  const isReadable = row?.id != null && opensAnything(scope);
  return {
    datasource: isReadable ? datasourceOf(row) : undefined,
    scope: isReadable ? scope : emptyScope,
    current: row?.data_revision ?? 0,
  };
}

/** Creators need no extra rule: every role with getProject may read datasources. */
function hasPermission({ is_super_user, is_admin, role_id }: DatasourceRow, permission: Permission): boolean {
  if (is_super_user) return true;
  if (is_admin && permissionsOf.admin.has(permission)) return true;
  return role_id !== null && permissionsOf[role_id].has(permission);
}

function datasourceOf(row: DatasourceRow): ServedDatasource {
  return {
    _id: row.id!,
    type: row.type,
    sourceProperties: row.source_properties,
    bucketId: row.bucket_id,
    bucketKey: row.bucket_key,
    servedFolder: row.served_folder,
    formerNames: row.former_names,
  };
}
