import { collectBytes } from '../../base/collect-bytes.ts';
import { maxPluginArchiveBytes, type UploadedMapPlugin } from '@platen/contract/map-plugins';
import { recordAudit } from '../../base/audit/record-audit.ts';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { newId } from '../../base/ids.ts';
import { keepBlob } from '../../files/objects/blobs.ts';
import { forgetStoredConfigs } from '../releases/stored-configs.ts';
import { readArchive, type PluginArchive, type PluginFile } from './read-archive.ts';
import { insertPlugin, lockVersion } from './store.ts';
import { outdateWarnings } from './uses.ts';

interface Incoming {
  readonly body: AsyncIterable<Uint8Array>;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
}

/** Bytes of plugins belong to no project. */
const projectId = '';

/** Stores the bytes before the rows. The clean-up removes blobs whose rows were not written. */
export async function uploadPlugin(
  context: Context,
  caller: Caller,
  { body, signal }: Incoming,
): Promise<UploadedMapPlugin> {
  const archive = await readArchive(await collectBytes(body, maxPluginArchiveBytes, tooLarge));
  return keepArchive(context, caller, { archive, signal });
}

interface KeptArchive {
  readonly archive: PluginArchive;
  readonly signal: AbortSignal;
}

/** Stores what an archive contains. */
export async function keepArchive(
  context: Context,
  caller: Caller,
  { archive, signal }: KeptArchive,
): Promise<UploadedMapPlugin> {
  const { db, store } = context;
  const { name, version, sha256 } = archive;
  const refuseKnown = (known: Awaited<ReturnType<typeof lockVersion>>) => {
    if (known && !known.isDeleted) throw alreadyExists(archive);
    if (known && known.sha256 !== sha256) throw wasDifferent(archive);
  };
  refuseKnown(await lockVersion(db, name, version));
  const stored = await storeFiles(context, archive.files, signal);
  try {
    const { plugin, unneeded } = await inTransaction(db, async (tx) => {
      refuseKnown(await lockVersion(tx, name, version));
      return keepPlugin(tx, context, { archive, stored, caller });
    });
    for (const id of unneeded) await store.remove(id);
    return { name, ...plugin, leftOut: [...archive.leftOut] };
  } catch (error) {
    if (error instanceof Failure) for (const { id } of stored) await store.remove(id);
    throw error;
  }
}

interface StoredFile {
  readonly file: PluginFile;
  readonly id: string;
}

async function storeFiles(
  { store, now }: Context,
  files: readonly PluginFile[],
  signal: AbortSignal,
): Promise<StoredFile[]> {
  const stored: StoredFile[] = [];
  try {
    for (const file of files) {
      const id = newId(now());
      await store.put(id, once(file.bytes), { signal });
      stored.push({ file, id });
    }
    return stored;
  } catch (error) {
    for (const { id } of stored) await store.remove(id);
    throw error;
  }
}

interface PluginUpload {
  readonly archive: PluginArchive;
  readonly stored: readonly StoredFile[];
  readonly caller: Caller;
}

/** @returns the version, and the IDs of stored bytes that equal existing blobs */
async function keepPlugin(tx: Context['db'], { now }: Context, { archive, stored, caller }: PluginUpload) {
  const { files: _files, leftOut: _leftOut, ...facts } = archive;
  const { name, version, mapVersion, sha256 } = facts;
  const at = now();
  const unneeded: string[] = [];
  const files = [];
  for (const { file, id } of stored) {
    const { path, bytes, type: contentType } = file;
    const blob = { id, projectId, size: bytes.length, sha256: file.sha256, now: at };
    const blobId = await keepBlob(tx, blob);
    if (blobId !== id) unneeded.push(id);
    files.push({ path, blobId, size: bytes.length, sha256: file.sha256, contentType });
  }
  const by = caller.userId;
  const plugin = await insertPlugin(tx, { ...facts, files, now: at, by });
  if (!plugin) throw alreadyExists(archive);
  await forgetStoredConfigs(tx); // a release may have it again
  await outdateWarnings(tx, name);
  const { size, numberOfFiles } = plugin;
  const detail = { name, version, mapVersion, sha256, size, numberOfFiles };
  await recordAudit(tx, {
    now: at,
    caller,
    action: 'mapPlugin.upload',
    targetId: `${name}@${version}`,
    detail,
  });
  return { plugin, unneeded };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

type PluginName = Pick<PluginArchive, 'name' | 'version'>;

export const tooLarge = () =>
  new Failure('too_large', `The archive of a plugin must not exceed ${maxPluginArchiveBytes / 2 ** 20} MiB.`);

const alreadyExists = ({ name, version }: PluginName) =>
  new Failure(
    'conflict',
    `${name} ${version} already exists. The content of a version cannot change. Raise the version.`,
  );

const wasDifferent = ({ name, version }: PluginName) =>
  new Failure(
    'conflict',
    `${name} ${version} was deleted, and browsers may still have its different content. Raise the version.`,
  );
