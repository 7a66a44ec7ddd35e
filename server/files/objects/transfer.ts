import type { ObjectCopy, ObjectMove, StoredObject } from '@platen/contract/objects';
import type { BucketPath } from '../buckets/operations.ts';
import { findBucket } from '../buckets/store.ts';
import type { Context } from '../../base/context.ts';
import { extendStatementTimeout } from '../../base/database/extend-statement-timeout.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { Failure, invalidAt, unusableAt } from '../../base/failure.ts';
import { requirePermission, type Caller } from '../../base/caller.ts';
import { lockServedFrom, lockServing } from '../revisions/restore-files.ts';
import { moveToTrash } from '../../base/trash/move-to-trash.ts';
import { requireQuota } from '../usage/reserve.ts';
import { requireNoneServed } from '../used-by/in-use.ts';
import { relocateDatasources, requireWhole } from './follow-datasources.ts';
import { filesMoved } from '../hooks.ts';
import { folderKeyOf, keyOf, problemOfKey } from './key.ts';
import { getObject } from './operations.ts';
import {
  copyFiles,
  deleteInTheWay,
  findClash,
  findInTheWay,
  findLongestKey,
  isFolder,
  measure,
  moveFiles,
  placesInTheWay,
  type ObjectPath,
  type Transfer,
} from './transfer-store.ts';

/** Maximum number of conflicting keys that an error lists. */
const maxNamed = 5;

type TransferRequest<Body> = BucketPath & { readonly body: Body };

/**
 * Copies a file, or a folder with all files in it: rows only, as the bytes are shared.
 * @throws Failure `conflict` if files exist at the new path, `unusable_reference` if there is nothing to copy, `storage_full`
 */
export async function copyObject(
  context: Context,
  caller: Caller,
  asked: TransferRequest<ObjectCopy>,
): Promise<StoredObject> {
  requirePermission(caller, 'uploadToDataBucket', 'put files into a data bucket');
  const transfer = transferOf(context, caller, asked);
  const { projectId, to } = transfer;
  return inTransaction(context.db, async (tx) => {
    const need = await begin(tx, transfer);
    const overwrite = asked.body.overwrite === true;
    if (!overwrite) await requireNothingInTheWay(tx, transfer, false);
    await requireQuota(context, tx, projectId, need);
    await copyFiles(tx, transfer, { overwrite });
    await requireNoClash(tx, to);
    return end({ ...context, db: tx }, transfer, [to]);
  });
}

/**
 * Moves or renames a file, or a folder with all files in it. All references to it follow in the same transaction.
 * @throws Failure `conflict` if files exist at the new path, if only a part of the data of a datasource would move, and with `overwrite` if existing files are served; `unusable_reference` if there is nothing to move
 */
export async function moveObject(
  context: Context,
  caller: Caller,
  asked: TransferRequest<ObjectMove>,
): Promise<StoredObject> {
  const transfer = transferOf(context, caller, asked);
  const { from, to } = transfer;
  if (from.bucketId !== to.bucketId)
    requirePermission(caller, 'uploadToDataBucket', 'put files into another data bucket');
  return inTransaction(context.db, async (tx) => {
    await begin(tx, transfer);
    if (asked.body.force !== true) await requireWhole(tx, transfer);
    for (const part of await withThumbnail(tx, transfer)) {
      if (asked.body.overwrite === true) await clearTheWay(tx, part, asked.body.force === true);
      else await requireNothingInTheWay(tx, part, true);
      await moveFiles(tx, part);
    }
    await requireNoClash(tx, to);
    await relocateDatasources(tx, transfer);
    await filesMoved.announce(tx, transfer);
    await notify(tx, 'accessChanged');
    return end({ ...context, db: tx }, transfer, [from, to]);
  });
}

/** @throws Failure `invalid` for keys that do not go together */
function transferOf(
  { now }: Context,
  caller: Caller,
  { projectId, dataBucketId, body }: TransferRequest<ObjectCopy>,
): Transfer {
  const isOfFolder = body.key.endsWith('/');
  if (isOfFolder !== body.to.endsWith('/'))
    throw invalidAt('/to', 'Send the complete new key. Keys of folders end in /, keys of files do not.');
  const keyAt = isOfFolder ? folderKeyOf : keyOf;
  const from = { bucketId: dataBucketId, key: keyAt(body.key, '/key') };
  const to = { bucketId: body.dataBucketId ?? dataBucketId, key: keyAt(body.to, '/to') };
  if (from.bucketId === to.bucketId && to.key === from.key)
    throw invalidAt('/to', 'The source and the destination are the same.');
  if (from.bucketId === to.bucketId && isOfFolder && to.key.startsWith(from.key))
    throw invalidAt('/to', 'A folder cannot be copied or moved into itself.');
  return { projectId, from, to, by: caller.userId, now: now() };
}

/** Checks both ends, and measures the files. */
async function begin(tx: Db, transfer: Transfer): Promise<{ objects: number; bytes: number }> {
  const { projectId, from, to, now } = transfer;
  if (!(await findBucket(tx, projectId, to.bucketId)))
    throw unusableAt('/dataBucketId', 'There is no such data bucket in this project.');
  await extendStatementTimeout(tx);
  if (isFolder(to)) await lockServedFrom(tx, to.bucketId, to.key);
  else await lockServing(tx, { ...to, now });
  const amount = await measure(tx, from);
  if (amount.objects === 0)
    throw unusableAt(
      '/key',
      `There is no ${isFolder(from) ? 'folder' : 'file'} “${from.key}” in the data bucket.`,
    );
  if (isFolder(from)) {
    const newKey = await findLongestKey(tx, transfer);
    const problem = problemOfKey(newKey);
    if (problem !== undefined) throw invalidAt('/to', `“${newKey}”: ${problem}`, 'key');
  }
  return amount;
}

/** Adds the thumbnail of the file, which is stored under its name. */
async function withThumbnail(tx: Db, transfer: Transfer): Promise<Transfer[]> {
  const thumbnailOf = (spot: ObjectPath): ObjectPath => ({ ...spot, key: `${spot.key}.thumbnail.png` });
  const thumbnail = { ...transfer, from: thumbnailOf(transfer.from), to: thumbnailOf(transfer.to) };
  if (isFolder(transfer.from) || (await measure(tx, thumbnail.from)).objects === 0) return [transfer];
  return problemOfKey(thumbnail.to.key) === undefined ? [transfer, thumbnail] : [transfer];
}

async function requireNothingInTheWay(tx: Db, transfer: Transfer, goesAway: boolean): Promise<void> {
  if ((await measure(tx, transfer.to)).objects === 0) return;
  const keys = await findInTheWay(tx, transfer, { goesAway, limit: maxNamed + 1 });
  if (keys.length === 0) return;
  const names = keys.slice(0, maxNamed).map((key) => `“${key}”`);
  const more = keys.length > maxNamed ? ' and more' : '';
  const text = `These files already exist: ${names.join(', ')}${more}. Send overwrite: true to replace them.`;
  const errors = keys.slice(0, maxNamed).map((key) => ({ pointer: '/to', code: 'exists', detail: key }));
  throw new Failure('conflict', text, { errors });
}

/** Moves existing files to the trash as one entry. @throws Failure `conflict` if they are served, unless forced */
async function clearTheWay(tx: Db, transfer: Transfer, force: boolean): Promise<void> {
  const { projectId, to, by, now } = transfer;
  const isInTheWay = await findInTheWay(tx, transfer, { goesAway: true, limit: 1 });
  if (isInTheWay.length === 0) return;
  const place = { projectId, bucketId: to.bucketId };
  if (!force) await requireNoneServed(tx, place, placesInTheWay(transfer));
  const bucket = await findBucket(tx, projectId, to.bucketId);
  const type = isFolder(to) ? 'folder' : 'object';
  const entry = { ...place, type, name: to.key, ownerId: bucket!.createdBy, by, now } as const;
  await moveToTrash(tx, entry, () => deleteInTheWay(tx, transfer));
}

async function requireNoClash(tx: Db, to: ObjectPath): Promise<void> {
  const key = await findClash(tx, to);
  if (key === undefined) return;
  const detail = `“${key}” would be a file and a folder at once.`;
  throw new Failure('conflict', detail, { errors: [{ pointer: '/to', code: 'exists', detail }] });
}

async function end(
  context: Context,
  { projectId, to }: Transfer,
  changed: readonly ObjectPath[],
): Promise<StoredObject> {
  for (const bucketId of new Set(changed.map((spot) => spot.bucketId))) {
    await notify(context.db, 'accessChanged', `bucket:${bucketId}`);
    await notify(context.db, 'objectsChanged', bucketId);
  }
  return getObject(context, { projectId, dataBucketId: to.bucketId }, to.key);
}
