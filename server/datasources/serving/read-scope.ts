import { sql, type RawBuilder } from 'kysely';

/** Which revisions of the data of one datasource somebody may read. */
export interface ReadScope {
  /** What is served now, and what has been lately. */
  readonly all: boolean;
  /** These, which releases pin, however long ago they were replaced. */
  readonly revisions: readonly number[];
}

export const emptyScope: ReadScope = { all: false, revisions: [] };

export function opensAnything({ all, revisions }: ReadScope): boolean {
  return all || revisions.length > 0;
}

/** Both together. */
export function mergeScopes(one: ReadScope, other: ReadScope): ReadScope {
  return { all: one.all || other.all, revisions: [...new Set([...one.revisions, ...other.revisions])] };
}

/** What a release has shown stays for so long for those who have the map open. */
const graceMs = 24 * 3_600_000;

/** An app reads only what the user `o` behind it may: their account and membership are looked at now. */
const isReadableByOwner = (isTheirs: RawBuilder<unknown>) => sql`(o.is_super_user or o.is_admin
  or exists (select from membership om join role r on r.id = om.role_id
    where om.project_id = a.project_id and om.user_id = o.id
      and ('getModule' = any(r.permissions) or ${isTheirs})))`;

/**
 * For `exists (select from …)`, in a statement whose datasource is `d`: apps `a` whose modules use it now, through a module
 * that the user behind the app still may read.
 */
export const liveApps = sql`module_datasource md
  join module mo on mo.id = md.module_id
  join app_module am on am.module_id = md.module_id
  join app a on a.id = am.app_id
  join user_account o on o.id = a.member_id and o.is_active
  where md.datasource_id = d.id and ${isReadableByOwner(sql`mo.created_by = o.id`)}`;

/** Those of them that show no release: what is edited is seen at once. */
export const liveVisibleApps = sql`${liveApps} and a.release_id is null`;

/** For `array(select …)`: the revisions of `d` that releases of apps `a` pin, shown ever or never. */
export const pinnedRevisions = sql`distinct p.revision from app_release_data p
  join app a on a.id = p.app_id
  join user_account o on o.id = a.member_id and o.is_active
  where p.datasource_id = d.id and ${isReadableByOwner(sql`o.id = any(p.authors)`)}`;

/** Those of releases that are shown, or were a while ago. */
export const visibleRevisions = (now: Date): RawBuilder<unknown> =>
  revisionsVisibleAfter(new Date(now.getTime() - graceMs));

/** Those of releases that are shown after a moment. */
export const revisionsVisibleAfter = (moment: Date): RawBuilder<unknown> =>
  sql`${pinnedRevisions} and p.shown_until > ${moment}`;

/** Whether public apps show some revision of `d`. */
export const isPubliclyReadable = (
  now: Date,
): RawBuilder<boolean> => sql`(exists (select from ${liveVisibleApps} and a.is_public)
  or exists (select ${visibleRevisions(now)} and a.is_public))`;
