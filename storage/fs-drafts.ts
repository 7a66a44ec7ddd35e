import { constants, type BigIntStats } from 'node:fs';
import { open, opendir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Drafts } from './drafts.ts';
import { errorCode, fail } from './fs-failure.ts';
import { openFile, type OpenFile } from './fs-read.ts';
import { appendSynced, syncFolder } from './fs-write.ts';
import { isObjectId, requireObjectId, StorageFailure } from './object-store.ts';
import type { StoredObject } from './stored-object.ts';
import { createHashCache, RunningHash } from './running-hash.ts';

const HASH_CHUNK_BYTES = 1024 * 1024;

/** The parts of the store that drafts use. */
interface Objects {
  /** Renames a synced file to an object, permanently. */
  moveIn(id: string, file: string): Promise<void>;
  openObject(id: string): Promise<OpenFile | undefined>;
}

/**
 * Drafts are files of one folder, named by their ids; nothing here removes one on its own. The file length is the
 * draft's offset: journaling file systems let a file grow only by what has been written, so it never counts bytes that
 * did not arrive.
 */
export function openFsDrafts(folder: string, objects: Objects): Drafts {
  const hashes = createHashCache();

  function pathOf(id: string): string {
    requireObjectId(id);
    return join(folder, id);
  }

  /**
   * Runs `use` on the draft's open file; undefined if it does not exist. Absence counts only while the folder exists.
   */
  async function withDraft<T>(id: string, use: (file: FileHandle) => Promise<T>): Promise<T | undefined> {
    const path = pathOf(id);
    let file: FileHandle;
    try {
      file = await open(path, constants.O_RDWR | constants.O_APPEND);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') fail(error);
      await stat(folder).catch(fail);
      return undefined;
    }
    try {
      return await use(file);
    } finally {
      await file.close();
    }
  }

  return {
    async begin(id) {
      const file = await open(pathOf(id), 'w', 0o600).catch(fail);
      try {
        await file.sync().catch(fail);
      } finally {
        await file.close();
      }
      await syncFolder(folder);
    },

    async offset(id) {
      return await withDraft(id, async (file) => {
        await file.sync().catch(fail); // bytes of a killed process may be in the page cache only
        return Number((await statsOf(file)).size);
      });
    },

    async append(id, offset, body, { signal } = {}) {
      const end = await withDraft(id, async (file) => {
        const before = await statsOf(file);
        if (Number(before.size) !== offset)
          throw conflict(`the draft has ${before.size} bytes, not ${offset}`);
        const hash = hashes.take(id, markOf(before)) ?? (offset === 0 ? new RunningHash() : undefined);
        try {
          await appendSynced(file, body, { signal, hash });
        } finally {
          const after = await statsOf(file);
          if (hash?.bytes === Number(after.size)) hashes.keep(id, markOf(after), hash);
        }
        return Number((await statsOf(file)).size);
      });
      if (end === undefined) throw conflict('there is no such draft');
      return end;
    },

    async finish(id) {
      const path = pathOf(id);
      const finished = await withDraft(id, async (file) => {
        await file.sync().catch(fail);
        const stats = await statsOf(file);
        const hash = hashes.take(id, markOf(stats)) ?? (await hashOf(await openFile(path)));
        return hash && { size: Number(stats.size), sha256: hash.digest() };
      });
      if (!finished) return await alreadyFinished(await objects.openObject(id));
      await objects.moveIn(id, path);
      return finished;
    },

    async drop(id) {
      await rm(pathOf(id), { force: true }).catch(fail);
      hashes.forget(id);
      await stat(folder).catch(fail);
    },

    async *list() {
      for await (const { name } of await opendir(folder).catch(fail)) {
        if (!isObjectId(name)) continue;
        const stats = await stat(join(folder, name)).catch(() => undefined); // finished or dropped in between
        if (stats?.isFile()) yield { id: name, modifiedAt: stats.mtime };
      }
    },
  };
}

async function alreadyFinished(object: OpenFile | undefined): Promise<StoredObject> {
  const hash = await hashOf(object);
  if (!hash) throw conflict('there is no such draft');
  return { size: hash.bytes, sha256: hash.digest() };
}

/** Hashes the file to its end and closes it. */
async function hashOf(file: OpenFile | undefined): Promise<RunningHash | undefined> {
  if (!file) return undefined;
  try {
    const hash = new RunningHash();
    while (hash.bytes < file.size) hash.update(await file.read(hash.bytes, HASH_CHUNK_BYTES));
    return hash;
  } finally {
    await file.close();
  }
}

/** Identifies the bytes of a draft: if another replica restarted it, the mark changes. */
function markOf({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs}`;
}

async function statsOf(file: FileHandle): Promise<BigIntStats> {
  return await file.stat({ bigint: true }).catch(fail);
}

function conflict(message: string): StorageFailure {
  return new StorageFailure('conflict', message);
}
