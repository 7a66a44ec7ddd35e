import { open, type FileHandle } from 'node:fs/promises';
import { forEachChunk } from './for-each-chunk.ts';
import { fail } from './fs-failure.ts';
import type { StoredObject } from './object-store.ts';
import { RunningHash } from './running-hash.ts';

// Large enough that a write call costs nothing beside its bytes.
const BATCH_BYTES = 1024 * 1024;
// What all batches may have together, with hundreds of uploads at once; each writer holds two.
const ALL_BATCHES_BYTES = 32 * 1024 * 1024;
// So much may be dirty in the page cache before we ask for it to be written: the fsync at the end then finds
// little left to do (1 GiB takes half the time), and one upload cannot fill the cache that serves everyone's reads.
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
 * Writes on at the end of an open file and resolves when its bytes are on the disk; when the body fails or the signal
 * aborts, those that came before are. Where the disk fails, the hash may have come further than the file.
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

/** Hashes one batch while the one before is on its way to the disk; holds two batches at most. */
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

  /** Waits until nothing uses the file any more, whatever became of it. */
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
    this.#writing.catch(() => {}); // thrown where it is awaited, maybe a slow chunk later
    this.#sinceWriteback += bytes;
    if (this.#hash) for (const chunk of batch) this.#hash.update(chunk);
  }

  // One at a time: a disk slower than the network holds the upload back here, not in the page cache.
  async #startWriteback(): Promise<void> {
    await this.#writeback;
    this.#sinceWriteback = 0;
    this.#writeback = this.#file.datasync().catch(fail);
    this.#writeback.catch(() => {});
  }
}

/** A write may take only part of what it is given, as the last one before ENOSPC does. */
async function writeAll(file: FileHandle, chunks: readonly Uint8Array[], bytes: number): Promise<void> {
  let { bytesWritten } = await file.writev(chunks).catch(fail);
  if (bytesWritten === bytes) return;
  const rest = Buffer.concat(chunks);
  while (bytesWritten < bytes) {
    bytesWritten += (await file.write(rest, bytesWritten).catch(fail)).bytesWritten;
  }
}
