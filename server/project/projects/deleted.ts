import { addFirstManager } from '../../identity/members/operations.ts';
import { lockManagers } from '../../identity/members/store.ts';
import type {
  DeletedProject,
  DeletedProjectListQuery,
  Project,
  RestoredProject,
} from '@platen/contract/projects';
import type { Deleted, Page } from '@platen/contract/schema';
import { sql } from 'kysely';
import { releaseSlugs, restoreSlugs } from '../../apps/former-slugs.ts';
import { recordAudit } from '../../base/audit/record-audit.ts';
import type { Caller } from '../../base/caller.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { extendStatementTimeout } from '../../base/database/extend-statement-timeout.ts';
import { selectPage, textFilter } from '../../base/database/lists.ts';
import { notify } from '../../base/database/notifications.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notFound } from '../../base/failure.ts';
import { abortJobsOfProject } from '../../jobs/queue/abort.ts';
import { findProject, fromRow, type ProjectRow } from './store.ts';

/**
 * Moves a project to the trash. It keeps all of its rows, but `deleted_at` hides it from everyone: whoever looks up a
 * project or what is reached without one (data, apps, share links, due tasks) leaves out those that have it.
 */
export async function removeProject(
  { db, now, settings }: Context,
  caller: Caller,
  projectId: string,
): Promise<Project & Deleted> {
  return inTransaction(db, async (tx) => {
    const project = await findProject(tx, projectId);
    if (!project) throw notFound('project');
    await abortJobsOfProject(tx, { projectId, by: caller.userId, now: now() });
    await tx
      .updateTable('project')
      .set({ deleted_at: now(), deleted_by: caller.userId })
      .where('id', '=', projectId)
      .execute();
    await releaseSlugs(tx, projectId);
    if (settings.trashLifetimeMs === 0) await tx.deleteFrom('project').where('id', '=', projectId).execute();
    await audit(tx, { now: now(), caller, action: 'project.delete', project });
    await notify(tx, 'accessChanged');
    return { ...project, numberOfDeletedItems: 1 };
  });
}

export function listDeletedProjects(
  { db, settings }: Context,
  query: DeletedProjectListQuery,
): Promise<Page<DeletedProject>> {
  return selectPage<ProjectRow, DeletedProject>(db, {
    from: sql`project p`,
    columns: sql`p.*`,
    where: [sql`p.deleted_at is not null`, textFilter('p.name', query.name)],
    order: { name: 'p.name', deletedAt: 'p.deleted_at' },
    tieBreak: 'p.id',
    query: { orderBy: ['deletedAt'], ...query },
    fromRow: (row) => ({
      ...fromRow(row),
      deletedAt: row.deleted_at!.toISOString(),
      deletedBy: row.deleted_by!,
      removedAt: new Date(row.deleted_at!.getTime() + settings.trashLifetimeMs).toISOString(),
    }),
  });
}

/** If none of its managers is left, the caller becomes one. */
export async function restoreProject(
  { db, now }: Context,
  caller: Caller,
  projectId: string,
): Promise<RestoredProject> {
  return inTransaction(db, async (tx) => {
    const row = await tx
      .updateTable('project')
      .set({ deleted_at: null, deleted_by: null })
      .where('id', '=', projectId)
      .where('deleted_at', 'is not', null)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw notFound('deleted project');
    const project = fromRow(row);
    const newAddresses = await restoreSlugs(tx, projectId);
    const at = now();
    if ((await lockManagers(tx, projectId)).length === 0)
      await addFirstManager(tx, { projectId, userId: caller.userId, now: at, by: caller.userId });
    await audit(tx, { now: at, caller, action: 'project.restore', project });
    await notify(tx, 'accessChanged');
    return { ...project, newAddresses };
  });
}

/** Everything in the project goes with it, in one transaction; its files follow after the grace time of blobs. */
export async function removeForGood(
  { db, now }: Context,
  caller: Caller,
  projectId: string,
): Promise<Deleted> {
  return inTransaction(db, async (tx) => {
    await extendStatementTimeout(tx);
    const row = await tx
      .deleteFrom('project')
      .where('id', '=', projectId)
      .where('deleted_at', 'is not', null)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw notFound('deleted project');
    await audit(tx, { now: now(), caller, action: 'project.remove', project: fromRow(row) });
    return { numberOfDeletedItems: 1 };
  });
}

interface ProjectAct {
  readonly now: Date;
  readonly caller: Caller;
  readonly action: string;
  readonly project: Project;
}

function audit(tx: Db, { project, ...act }: ProjectAct): Promise<void> {
  const { _id: projectId, name } = project;
  return recordAudit(tx, { ...act, projectId, targetId: projectId, detail: { name } });
}
