import type { DatasourceType } from '@platen/contract/datasource-types';
import type { SourceProperties } from '@platen/contract/datasources';
import type { Permission } from '@platen/contract/permission';
import { sql, type RawBuilder } from 'kysely';
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

/** What serving needs to know of a datasource. */
export interface ServedDatasource {
  readonly _id: string;
  readonly type: DatasourceType;
  readonly sourceProperties: SourceProperties;
  readonly bucketId: string | null;
  readonly bucketKey: string | null;
  readonly servedFolder: string | null;
  /** Of the file, before it was renamed. */
  readonly formerNames: readonly string[];
}

export interface AccessDecision {
  /** undefined: it does not exist, or not for this reader. */
  readonly datasource: ServedDatasource | undefined;
  /** Which of its revisions this reader may read. */
  readonly scope: ReadScope;
  /** Which of them everybody may: public apps show them. */
  readonly publicScope: ReadScope;
  /** The revision that is served now. */
  readonly current: number;
  /** The secret that was sent belongs to nobody. */
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
}

/**
 * The one place that decides who may read the data of a datasource, whichever way it is asked for, in one round trip:
 * whoever may getDatasource in its project, the guests of an app that uses it, and everybody where such an app is public.
 * An app that shows a release opens the revisions that this pins, any other whatever is served. An app reads only what the
 * user behind it may: their account and membership are looked at now, not when it was published.
 */
export function decide(
  db: Db,
  datasourceId: string,
  tokenHash: Buffer | undefined,
  now: Date,
): Promise<AccessDecision> {
  return decideWith(db, { datasourceId, tokenHash, now, pinned: visibleRevisions(now) });
}

/** The same for who has no map open yet: of releases only what those pin that are shown now. */
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
  /** Revisions of `d` that releases of apps `a` open. */
  readonly pinned: RawBuilder<unknown>;
}

async function decideWith(
  db: Db,
  { datasourceId, tokenHash, now, pinned }: AccessQuery,
): Promise<AccessDecision> {
  const isGuest = sql`exists (select from app_guest g where g.app_id = a.id and g.user_id = u.user_id)`;
  const { rows } = await sql<DatasourceRow & ScopeRow>`
    select ${datasourceColumns}, u.user_id, u.is_admin, u.is_super_user, m.role_id,
      exists (select from ${liveVisibleApps} and a.is_public) as is_public,
      exists (select from ${liveVisibleApps} and ${isGuest}) as is_guest,
      array(select ${pinned} and a.is_public) as public_revisions,
      array(select ${pinned} and ${isGuest}) as guest_revisions
    from (values (1)) one
    left join datasource d on d.id = ${datasourceId}
    left join (select t.hash, a.id as user_id, a.is_admin, a.is_super_user
      from token t join user_account a on a.id = t.user_id and a.is_active
      where t.expires_at > ${now}) u on u.hash = ${tokenHash ?? Buffer.alloc(0)}
    left join membership m on m.project_id = d.project_id and m.user_id = u.user_id`.execute(db);
  const row = rows[0]!;
  const publicScope = { all: row.is_public, revisions: row.public_revisions };
  const ownScope = {
    all: row.is_guest || hasPermission(row, 'getDatasource'),
    revisions: row.guest_revisions,
  };
  const scope = mergeScopes(publicScope, ownScope);
  return {
    ...withScope(row, scope),
    publicScope,
    isUnknownReader: tokenHash !== undefined && row.user_id === null,
  };
}

export interface CapabilityDecision extends AccessDecision {
  /** When it ends without another use; undefined: there is no such capability. */
  readonly expires: Date | undefined;
  /** It is the visit of a share link, not of a login. */
  readonly isVisit: boolean;
  /** When it ends whatever is done with it. */
  readonly ends: Date | undefined;
}

interface CapabilityRow {
  expires_at: Date;
  ends_at: Date | null;
  /** Of a share link: `current`, `draft` or the id of a release. */
  shows: string | null;
  is_visible_app: boolean;
  is_creator: boolean;
  is_live: boolean;
  is_live_visible: boolean;
  revisions: number[];
  visible_revisions: number[];
}

/**
 * The same for the holder of a capability: what its app shows, as long as its user may see that app and the login that it
 * was made by lives. Who may read the app, and is not only its guest, sees its draft and all of its releases, too. And for
 * the visitor of a share link: what that shows, as long as there is the link. Of all this nothing is remembered from when
 * it was made; who came after a release was replaced has no map of it open, and does not read it.
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
    left join datasource d on d.id = ${datasourceId}
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

/** A creator without the permission needs getProject; every role that holds it may read anyway. */
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
