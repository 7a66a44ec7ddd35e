import { open, type FileHandle } from 'node:fs/promises';
import { forEachChunk } from './for-each-chunk.ts';
import { fail } from './fs-failure.ts';
import type { StoredObject } from './stored-object.ts';
import { RunningHash } from './running-hash.ts';

// Large enough to make the cost of write calls negligible.
const BATCH_BYTES = 1024 * 1024;
// Limit for all batches together, with hundreds of uploads at once; each writer holds two.
const ALL_BATCHES_BYTES = 32 * 1024 * 1024;
// Dirty page cache per upload before write-back is requested: the final fsync then has little left to do (1 GiB takes
// half the time), and one upload cannot fill the cache that serves all reads.
const WRITEBACK_BYTES = 32 * 1024 * 1024;

/** Writes a new file and resolves when its bytes are on the disk (its name is not: that takes `syncFolder`). */
export async function writeSynced(
  path: string,
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<StoredObject> {
  signal?.throwIfAborted();
  const hash = new RunningHash();
  const file = await open(path, 'wx', 0o600).catch(fail);
  const writer = new BatchWriter(file, hash);
  try {
    await forEachChunk(body, signal, (chunk) => writer.add(chunk));
    await writer.finish();
    return { size: hash.bytes, sha256: hash.digest() };
  } catch (error) {
    await writer.settle();
    throw error;
  } finally {
    writer.end();
    await file.close();
  }
}

/**
 * Appends to an open file and resolves when its bytes are on the disk; when the body fails or the signal aborts,
 * received bytes are. After a disk failure the hash may be ahead of the file.
 */
export async function appendSynced(
  file: FileHandle,
  body: AsyncIterable<Uint8Array>,
  { signal, hash }: { signal: AbortSignal | undefined; hash: RunningHash | undefined },
): Promise<void> {
  signal?.throwIfAborted();
  const writer = new BatchWriter(file, hash);
  try {
    await forEachChunk(body, signal, (chunk) => writer.add(chunk));
    await writer.finish();
  } catch (error) {
    await writer.finish().catch(() => writer.settle());
    throw error;
  } finally {
    writer.end();
  }
}

/** Makes the names in a folder durable. Windows cannot open folders and journals its names itself. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r').catch(fail);
  try {
    await folder.sync().catch(fail);
  } finally {
    await folder.close();
  }
}

/** Hashes one batch while the previous one is being written; holds two batches at most. */
class BatchWriter {
  static #underWay = 0;
  readonly #file: FileHandle;
  readonly #hash: RunningHash | undefined;
  #batch: Uint8Array[] = [];
  #batchBytes = 0;
  #sinceWriteback = 0;
  #writing: Promise<void> = Promise.resolve();
  #writeback: Promise<void> = Promise.resolve();

  constructor(file: FileHandle, hash: RunningHash | undefined) {
    this.#file = file;
    this.#hash = hash;
    BatchWriter.#underWay++;
  }

  end(): void {
    BatchWriter.#underWay--;
  }

  /** Returns a promise only when the caller has to wait. */
  add(chunk: Uint8Array): Promise<void> | undefined {
    if (chunk.byteLength === 0) return undefined;
    this.#batch.push(chunk);
    this.#batchBytes += chunk.byteLength;
    const share = ALL_BATCHES_BYTES / 2 / BatchWriter.#underWay;
    return this.#batchBytes >= Math.min(BATCH_BYTES, share) ? this.#flush() : undefined;
  }

  async finish(): Promise<void> {
    await this.#flush();
    await this.#writing;
    await this.#writeback;
    await this.#file.sync().catch(fail);
  }

  /** Waits until the file is no longer used, whether or not writing succeeded. */
  async settle(): Promise<void> {
    await Promise.allSettled([this.#writing, this.#writeback]);
  }

  async #flush(): Promise<void> {
    await this.#writing;
    if (this.#sinceWriteback >= WRITEBACK_BYTES) await this.#startWriteback();
    const batch = this.#batch;
    const bytes = this.#batchBytes;
    this.#batch = [];
    this.#batchBytes = 0;
    if (bytes === 0) return;
    this.#writing = writeAll(this.#file, batch, bytes);
    this.#writing.catch(() => {}); // rethrown where it is awaited, possibly a slow chunk later
    this.#sinceWriteback += bytes;
    if (this.#hash) for (const chunk of batch) this.#hash.update(chunk);
  }

  // One at a time: a disk slower than the network throttles the upload instead of filling the page cache.
  async #startWriteback(): Promise<void> {
    await this.#writeback;
    this.#sinceWriteback = 0;
    this.#writeback = this.#file.datasync().catch(fail);
    this.#writeback.catch(() => {});
  }
}

/** A write may be partial, as the last one before ENOSPC is. */
async function writeAll(file: FileHandle, chunks: readonly Uint8Array[], bytes: number): Promise<void> {
  let { bytesWritten } = await file.writev(chunks).catch(fail);
  if (bytesWritten === bytes) return;
  const rest = Buffer.concat(chunks);
  while (bytesWritten < bytes) {
    bytesWritten += (await file.write(rest, bytesWritten).catch(fail)).bytesWritten;
  }
}
