import { sql, type RawBuilder } from 'kysely';

/** The revisions of a datasource's data that a reader may read. */
export interface ReadScope {
  /** The current data and recently replaced revisions. */
  readonly all: boolean;
  /** Revisions pinned by releases, regardless of when they were replaced. */
  readonly revisions: readonly number[];
}

export const emptyScope: ReadScope = { all: false, revisions: [] };

export function opensAnything({ all, revisions }: ReadScope): boolean {
  return all || revisions.length > 0;
}

export function mergeScopes(one: ReadScope, other: ReadScope): ReadScope {
  return { all: one.all || other.all, revisions: [...new Set([...one.revisions, ...other.revisions])] };
}

/** How long open maps can still read what a replaced release showed. */
const graceMs = 24 * 3_600_000;

/** SQL: whether the user `o` whose rights an app uses may read a module now. */
const isReadableByOwner = (isTheirs: RawBuilder<unknown>) => sql`(o.is_super_user or o.is_admin
  or exists (select from membership om join role r on r.id = om.role_id
    where om.project_id = a.project_id and om.user_id = o.id
      and ('getModule' = any(r.permissions) or ${isTheirs})))`;

/**
 * SQL for `exists (select from …)`: apps `a` that use datasource `d` now, through a module that the user of the app may
 * still read, or as a base map of the project.
 */
export const liveApps = sql`(
    select am.app_id, mo.created_by from module_datasource md
    join module mo on mo.id = md.module_id
    join app_module am on am.module_id = md.module_id
    where md.datasource_id = d.id
    union all
    select b.id, b.member_id from project p
    cross join json_array_elements(p.base_maps) as m
    join app b on b.project_id = p.id and m ->> 'id' = any(b.base_maps)
    where p.id = d.project_id and m ->> 'datasourceId' = d.id
  ) used
  join app a on a.id = used.app_id
  join user_account o on o.id = a.member_id and o.is_active
  where ${isReadableByOwner(sql`used.created_by = o.id`)}`;

/** SQL: live apps without a release, which show edits at once. */
export const liveVisibleApps = sql`${liveApps} and a.release_id is null`;

/** SQL for `array(select …)`: revisions of `d` pinned by releases of apps `a`, visible or not. */
export const pinnedRevisions = sql`distinct p.revision from app_release_data p
  join app a on a.id = p.app_id
  join user_account o on o.id = a.member_id and o.is_active
  where p.datasource_id = d.id and ${isReadableByOwner(sql`o.id = any(p.authors)`)}`;

/** SQL: pinned revisions of releases that are visible, or were within the grace period. */
export const visibleRevisions = (now: Date): RawBuilder<unknown> =>
  revisionsVisibleAfter(new Date(now.getTime() - graceMs));

/** SQL: pinned revisions of releases that are visible after a moment. */
export const revisionsVisibleAfter = (moment: Date): RawBuilder<unknown> =>
  sql`${pinnedRevisions} and p.shown_until > ${moment}`;

/** SQL: whether public apps show any revision of `d`. */
export const isPubliclyReadable = (
  now: Date,
): RawBuilder<boolean> => sql`(exists (select from ${liveVisibleApps} and a.is_public)
  or exists (select ${visibleRevisions(now)} and a.is_public))`;
