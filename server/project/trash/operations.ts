import type { Permission } from '@platen/contract/permission';
import type { Restored, TrashItem, TrashListQuery } from '@platen/contract/trash';
import type { Deleted, Page } from '@platen/contract/schema';
import { findTaskSpec } from '@platen/processing/catalog';
import { recordAudit } from '../../base/audit/record-audit.ts';
import type { Context } from '../../base/context.ts';
import { extendStatementTimeout } from '../../base/database/extend-statement-timeout.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { Failure, invalidAt, notFound } from '../../base/failure.ts';
import { may, maySee, type Caller } from '../../base/caller.ts';
import { emptyTrash } from './empty.ts';
import { restoreJob } from './restore-job.ts';
import { refreshPublishTaskIds } from '../../publishing/publish/store.ts';
import { relinkTask, restoreCredential, restoreScenario } from './restore-publishing.ts';
import { restoreFiles, type RestoreOptions } from './restore-files.ts';
import {
  restoreApp,
  restoreBucket,
  restoreDatasources,
  restoreModule,
  restoreTask,
} from './restore-resources.ts';
import { findTrash, lockTrash, lockTrashEntry, markEmptied, type TrashEntry } from './store.ts';

interface TrashPath {
  readonly projectId: string;
  readonly trashId: string;
}

export function listTrash(
  { db, settings }: Context,
  caller: Caller,
  { projectId, query }: { projectId: string; query: TrashListQuery },
): Promise<Page<TrashItem>> {
  const onlyFilesOf = may(caller, 'getDataBucket') ? undefined : caller.userId;
  return findTrash(db, projectId, query, { onlyFilesOf, lifetimeMs: settings.trashLifetimeMs });
}

type Options = Pick<RestoreOptions, 'overwrite' | 'key' | 'force'>;

/** Restores everything or nothing. */
export async function restoreFromTrash(
  { db, now }: Context,
  caller: Caller,
  { projectId, trashId, ...options }: TrashPath & Options,
): Promise<Restored> {
  const { entry, key } = await inTransaction(db, async (tx) => {
    const found = await requireEntry(tx, caller, { projectId, trashId });
    await extendStatementTimeout(tx);
    const { type } = found;
    if (options.key !== undefined && type !== 'object' && type !== 'folder')
      throw invalidAt('key', 'Only files and folders can be restored to another place.');
    const restoredKey = await restore(tx, caller, found, { ...options, by: caller.userId, now: now() });
    await tx.deleteFrom('trash_entry').where('id', '=', trashId).execute();
    await notify(tx, 'accessChanged');
    return { entry: found, key: restoredKey };
  });
  return {
    type: entry.type,
    ...(entry.resource_id !== null && { resourceId: entry.resource_id }),
    ...(entry.bucket_id !== null && { dataBucketId: entry.bucket_id }),
    ...(key !== undefined && { key }),
    numberOfFiles: entry.objects,
  };
}

/** Returns the key of files. */
async function restore(
  tx: Db,
  caller: Caller,
  entry: TrashEntry,
  options: RestoreOptions,
): Promise<string | undefined> {
  switch (entry.type) {
    case 'object':
    case 'folder':
      return restoreFiles(tx, entry, options);
    case 'data-bucket':
      await restoreBucket(tx, caller, entry);
      return undefined;
    case 'datasource':
      await restoreDatasources(tx, caller, entry, options);
      await refreshPublishTaskIds(tx, 'datasource', entry.resource_id!);
      return undefined;
    case 'module':
      await restoreModule(tx, entry);
      return undefined;
    case 'app':
      await restoreApp(tx, caller, entry, options);
      await refreshPublishTaskIds(tx, 'app', entry.resource_id!);
      return undefined;
    case 'scenario':
      await restoreScenario(tx, entry, options);
      return undefined;
    case 'credential':
      await restoreCredential(tx, caller, entry, options);
      return undefined;
    case 'task':
      await restoreTask(tx, entry, options);
      await relinkTask(tx, entry, options);
      return undefined;
    case 'job':
      await restoreJob(tx, caller, entry, options);
      return undefined;
  }
}

export async function removeFromTrash(context: Context, caller: Caller, path: TrashPath): Promise<Deleted> {
  const { projectId, trashId: targetId } = path;
  await inTransaction(context.db, async (tx) => {
    const { type, name } = await requireEntry(tx, caller, path);
    await markEmptied(tx, [targetId]);
    const entry = { now: context.now(), caller, projectId, targetId, detail: { type, name } };
    await recordAudit(tx, { ...entry, action: 'trash.delete' });
  });
  await emptyTrash(context);
  return { numberOfDeletedItems: 1 };
}

/** Items that the caller may not delete stay. */
export async function emptyTrashOf(context: Context, caller: Caller, projectId: string): Promise<Deleted> {
  const numberOfDeletedItems = await inTransaction(context.db, async (tx) => {
    const ids = (await lockTrash(tx, projectId))
      .filter((entry) => mayDelete(caller, entry))
      .map(({ id }) => id);
    await markEmptied(tx, ids);
    const entry = {
      now: context.now(),
      caller,
      projectId,
      targetId: projectId,
      detail: { count: ids.length },
    };
    if (ids.length > 0) await recordAudit(tx, { ...entry, action: 'trash.empty' });
    return ids.length;
  });
  await emptyTrash(context);
  return { numberOfDeletedItems };
}

/** @throws Failure `not_found`, also for files of which the caller may not know, and `forbidden` */
async function requireEntry(tx: Db, caller: Caller, { projectId, trashId }: TrashPath): Promise<TrashEntry> {
  const entry = await lockTrashEntry(tx, projectId, trashId);
  const isFiles = entry?.type === 'object' || entry?.type === 'folder';
  if (!entry || (isFiles && !maySee(caller, 'getDataBucket', entry.owner_id)))
    throw notFound('item in the trash');
  if (mayDelete(caller, entry)) return entry;
  const lacking = permissionsOf(entry).join(' and ');
  throw new Failure('forbidden', `You need the permission ${lacking} in this project.`);
}

/** The permission to delete a resource includes restoring it and deleting it permanently. */
function mayDelete(caller: Caller, entry: TrashEntry): boolean {
  const isOwners = entry.type !== 'task' && entry.type !== 'job';
  return permissionsOf(entry).every((permission) =>
    isOwners ? maySee(caller, permission, entry.owner_id) : may(caller, permission),
  );
}

function permissionsOf({ type, job_type: jobType }: TrashEntry): Permission[] {
  // a type that is no longer installed requires all permissions
  if (type === 'task') return [(findTaskSpec(jobType!)?.permission ?? 'editProject') as Permission];
  if (type === 'job') return ['abortJob', 'editDataBucket', 'deleteDatasource'];
  return [permissions[type]];
}

const permissions = {
  object: 'editDataBucket',
  folder: 'editDataBucket',
  'data-bucket': 'deleteDataBucket',
  datasource: 'deleteDatasource',
  module: 'deleteModule',
  app: 'deleteApp',
  scenario: 'deleteModule',
  credential: 'editProject',
} as const;
