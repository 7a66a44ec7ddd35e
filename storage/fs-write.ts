import { createHash, type Hash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { fail } from './fs-failure.ts';
import type { StoredObject } from './object-store.ts';

// Large enough that a write call costs nothing beside its bytes, small enough for hundreds of uploads at once.
const BATCH_BYTES = 1024 * 1024;
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
  const file = await open(path, 'wx', 0o600).catch(fail);
  const writer = new BatchWriter(file);
  try {
    await forEachChunk(body, signal, (chunk) => writer.add(chunk));
    return await writer.finish();
  } catch (error) {
    await writer.settle();
    throw error;
  } finally {
    await file.close();
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
  readonly #file: FileHandle;
  readonly #hash: Hash = createHash('sha256');
  #batch: Uint8Array[] = [];
  #batchBytes = 0;
  #size = 0;
  #sinceWriteback = 0;
  #writing: Promise<void> = Promise.resolve();
  #writeback: Promise<void> = Promise.resolve();

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Returns a promise only when the caller has to wait. */
  add(chunk: Uint8Array): Promise<void> | undefined {
    if (chunk.byteLength === 0) return undefined;
    this.#batch.push(chunk);
    this.#batchBytes += chunk.byteLength;
    return this.#batchBytes >= BATCH_BYTES ? this.#flush() : undefined;
  }

  async finish(): Promise<StoredObject> {
    await this.#flush();
    await this.#writing;
    await this.#writeback;
    await this.#file.sync().catch(fail);
    return { size: this.#size, sha256: this.#hash.digest('hex') };
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
    this.#size += bytes;
    this.#sinceWriteback += bytes;
    for (const chunk of batch) this.#hash.update(chunk);
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

/**
 * `for await` that an abort ends at once, also while a chunk is awaited that never comes. (Racing each step against
 * one long-lived promise would keep a reaction per chunk: 160,000 of them for 10 GiB.)
 */
async function forEachChunk(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
  take: (chunk: Uint8Array) => Promise<void> | undefined,
): Promise<void> {
  const chunks = body[Symbol.asyncIterator]();
  let interrupt: (reason: unknown) => void = () => {};
  const onAbort = () => interrupt(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  try {
    for (;;) {
      const step = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        interrupt = reject;
        chunks.next().then(resolve, reject);
      });
      signal?.throwIfAborted();
      if (step.done) return;
      await take(step.value);
      signal?.throwIfAborted();
    }
  } catch (error) {
    // Not awaited: a generator that waits for its next chunk answers only after that chunk.
    chunks.return?.().catch(() => {});
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}
