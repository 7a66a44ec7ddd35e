import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { copyFile, link, mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { callbackify } from 'node:util';
import { openFsDrafts } from './fs-drafts.ts';
import { asStorageFailure, errorCode, fail } from './fs-failure.ts';
import { writeAllSynced } from './fs-put-all.ts';
import { openFile, type OpenFile } from './fs-read.ts';
import { syncFolder, writeSynced } from './fs-write.ts';
import {
  isObjectId,
  requireIdPrefix,
  requireObjectId,
  requireRange,
  StorageFailure,
  type ByteRange,
  type ListedObject,
  type ObjectStore,
  type PutOptions,
} from './object-store.ts';
import type { ObjectHead } from './stored-object.ts';

const STREAM_CHUNK_BYTES = 256 * 1024;
// No upload is silent for an hour, so a temporary file this old has lost its writer.
const LEFTOVER_AGE_MS = 60 * 60 * 1000;
const CLEAN_UP_INTERVAL_MS = 60 * 60 * 1000;

/**
 * Stores objects as files below `root`, which several processes may share:
 *
 *     objects/<last two of the id>/<id>   immutable; complete and durable if anything refers to it
 *     tmp/<id>.<random>                   being written; on the same file system, so that it can be renamed
 *     drafts/<id>                         uploaded in chunks
 *
 * Throws `unavailable` if the folder cannot be created or used. `warn` receives one-line messages about background
 * errors.
 */
export async function openFsStore(root: string, warn?: (line: string) => void): Promise<ObjectStore> {
  const objects = join(resolve(root), 'objects');
  const temporary = join(resolve(root), 'tmp');
  const drafts = join(resolve(root), 'drafts');
  for (const folder of [objects, temporary, drafts]) await makeFolder(folder);
  await removeLeftovers(temporary);
  const cleanUp = () => {
    removeLeftovers(temporary).catch((error: Error) => {
      warn?.(`The left-overs of broken uploads could not be removed: ${error.message}`);
    });
  };
  setInterval(cleanUp, CLEAN_UP_INTERVAL_MS).unref();
  const shards = new Map<string, Promise<void>>();

  function folderOf(id: string): string {
    return join(objects, id.slice(-2));
  }

  function pathOf(id: string): string {
    requireObjectId(id);
    return join(folderOf(id), id);
  }

  /** A folder just made by another put may not be durable yet, so each process syncs it once itself. */
  async function requireShard(id: string): Promise<void> {
    const shard = folderOf(id);
    let made = shards.get(shard);
    if (!made) {
      made = makeShard(shard);
      shards.set(shard, made);
      made.catch(() => shards.delete(shard));
    }
    await made;
  }

  /** Lets `fill` write a temporary file, then publishes it under its final name. */
  async function publish<T>(
    id: string,
    ifNoneMatch: boolean,
    fill: (draft: string) => Promise<T>,
  ): Promise<T> {
    const path = pathOf(id);
    const draft = join(temporary, `${id}.${randomUUID()}`);
    try {
      if (ifNoneMatch && (await store.head(id))) throw alreadyExists(); // checked before the upload too, to fail early
      await requireShard(id);
      const result = await fill(draft);
      // link() refuses an existing name, rename() replaces it: both in one step.
      if (ifNoneMatch) await link(draft, path).catch(failToLink);
      else await rename(draft, path).catch(fail);
      await syncFolder(dirname(path));
      return result;
    } finally {
      await rm(draft, { force: true }).catch(fail);
    }
  }

  /** Absence counts only while the store itself exists: an unmounted disk must not look like removed objects. */
  async function absent(): Promise<undefined> {
    await stat(objects).catch(fail);
    return undefined;
  }

  async function openObject(id: string): Promise<OpenFile | undefined> {
    return (await openFile(pathOf(id))) ?? absent();
  }

  const store: ObjectStore = {
    async put(id, body, { ifNoneMatch = false, signal }: PutOptions = {}) {
      return await publish(id, ifNoneMatch, (draft) => writeSynced(draft, body, signal));
    },

    async putAll(newObjects) {
      await writeAllSynced(newObjects, objects, async (id) => {
        const path = pathOf(id);
        await requireShard(id);
        return path;
      });
    },

    async head(id) {
      const stats = await statOf(pathOf(id));
      return stats ? headOf(stats) : absent();
    },

    async read(id, range) {
      requireRange(range);
      const file = await openObject(id);
      if (!file) return undefined;
      try {
        return await file.read(range?.offset ?? 0, range?.length ?? file.size);
      } finally {
        await file.close();
      }
    },

    async stream(id, range) {
      requireRange(range);
      const file = await openObject(id);
      return file && streamOf(file, range ?? { offset: 0 });
    },

    open: openObject,

    async remove(id) {
      // Not synced: an object that a power cut restores has no row, and clean-up removes it again.
      await rm(pathOf(id), { force: true }).catch(fail);
      await absent();
    },

    async *list(prefix = '') {
      requireIdPrefix(prefix);
      const shardNames = await readdir(objects).catch(fail);
      for (const shard of shardNames) yield* listShard(join(objects, shard), prefix);
    },

    async copy(from, to) {
      const source = pathOf(from);
      requireObjectId(to);
      try {
        // A link would share the modification time by which clean-up decides what is new.
        return await publish(to, false, async (draft) => {
          await copyFile(source, draft, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL).catch(fail);
          await syncFile(draft);
          return headOf(await stat(draft).catch(fail));
        });
      } catch (error) {
        if (!(await store.head(from))) return undefined;
        throw error;
      }
    },

    localPath: pathOf,

    drafts: openFsDrafts(drafts, {
      async moveIn(id, draft) {
        await requireShard(id);
        await rename(draft, pathOf(id)).catch(fail);
        await syncFolder(folderOf(id));
      },
      openObject,
    }),
  };
  return store;
}

/** Parents are not created: with the disk gone, they would be made on the one below it. */
async function makeShard(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') fail(error);
  });
  await syncFolder(dirname(path));
}

/** Makes a folder and its parents, and their names durable; one that exists is fine. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 }).catch(fail);
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    await syncFolder(parent);
    if (!first || parent === dirname(first)) return;
  }
}

/** Removes files of dead writers. Files of living processes grow, so they are never old enough. */
async function removeLeftovers(temporary: string): Promise<void> {
  const dead = Date.now() - LEFTOVER_AGE_MS;
  for await (const { name } of await opendir(temporary).catch(fail)) {
    const path = join(temporary, name);
    const stats = await statOf(path);
    if (stats?.isFile() && stats.mtimeMs < dead) await rm(path, { force: true }).catch(fail);
  }
}

async function* listShard(folder: string, prefix: string): AsyncIterable<ListedObject> {
  const stats = await statOf(folder);
  if (!stats?.isDirectory()) return;
  for await (const { name } of await opendir(folder).catch(fail)) {
    if (!isObjectId(name) || !name.startsWith(prefix)) continue;
    const file = await statOf(join(folder, name));
    if (file?.isFile()) yield { id: name, ...headOf(file) };
  }
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? undefined : fail(error);
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+').catch(fail);
  try {
    await file.sync().catch(fail);
  } finally {
    await file.close();
  }
}

function headOf({ size, mtime }: Stats): ObjectHead {
  return { size, modifiedAt: mtime };
}

function streamOf(file: OpenFile, { offset, length = Infinity }: ByteRange): Readable {
  const end = Math.min(file.size, offset + length);
  let position = offset;
  return new Readable({
    highWaterMark: STREAM_CHUNK_BYTES,
    read() {
      if (position >= end) {
        this.push(null);
        return;
      }
      const start = position;
      position = Math.min(end, start + STREAM_CHUNK_BYTES);
      file.read(start, position - start).then(
        (bytes) => this.push(bytes),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      callbackify(() => file.close())((failure) => done(failure ?? error));
    },
  });
}

function alreadyExists(cause?: unknown): StorageFailure {
  return new StorageFailure('exists', 'the object exists already', { cause });
}

function failToLink(error: unknown): never {
  throw errorCode(error) === 'EEXIST' ? alreadyExists(error) : asStorageFailure(error);
}
