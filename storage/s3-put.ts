import { randomUUID } from 'node:crypto';
import { forEachChunk } from './for-each-chunk.ts';
import { StorageFailure, type PutOptions } from './object-store.ts';
import type { StoredObject } from './stored-object.ts';
import type { PartPool } from './part-pool.ts';
import { PartWriter, type PartSink } from './part-writer.ts';
import { RunningHash } from './running-hash.ts';
import type { Bucket } from './s3-bucket.ts';
import { responseOf, requireSuccess } from './s3-failure.ts';
import { beginMultipart, partSize, type Multipart, type Part } from './s3-multipart.ts';
import { readKey } from './s3-read.ts';

// Enough to use a connection with high latency; the pool limits all uploads together.
const MAX_PARALLEL_PARTS = 4;
// AWS refuses all of several simultaneous writers; one of them succeeds on retry.
const MAX_CONFLICT_RETRIES = 5;

export interface PutContext {
  readonly bucket: Bucket;
  readonly pool: PartPool;
  /** Multipart uploads of this process, which are not leftovers. */
  readonly ownUploads: Set<string>;
  /** Uploads that could not be aborted while the server was unreachable; the next successful put aborts them. */
  readonly abandoned: Set<Multipart>;
}

/** Stores the body at a key: with one request if it fits into a part, otherwise as multipart upload. */
export async function putObject(
  context: PutContext,
  key: string,
  { body, ifNoneMatch = false, signal }: PutOptions & { body: AsyncIterable<Uint8Array> },
): Promise<StoredObject> {
  const { bucket, pool } = context;
  const hash = new RunningHash();
  const ending = new AbortController();
  const aborting = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
  const upload = new Upload(context, key, aborting);
  const writer = new PartWriter(upload, { pool, maxParallelParts: MAX_PARALLEL_PARTS, signal: aborting });
  try {
    await forEachChunk(body, signal, (chunk) => {
      hash.update(chunk);
      return writer.add(chunk);
    });
    const rest = await writer.finish();
    if (upload.isBegun) await upload.complete(writer.number, rest, ifNoneMatch);
    else await putWhole(bucket, { key, bytes: rest, ifNoneMatch, writer: upload.writer });
    await abortAbandoned(context.abandoned);
    return { size: hash.bytes, sha256: hash.digest() };
  } catch (error) {
    ending.abort(error);
    await writer.close();
    // Not awaited: an unreachable server has already cost a timeout.
    const ended = upload.abort();
    if (!(error instanceof StorageFailure && error.code === 'unavailable')) await ended;
    throw error;
  } finally {
    await writer.close();
    await upload.end();
  }
}

/** The parts of one put. Nothing is sent before the first part is full. */
class Upload implements PartSink {
  /** Stored with the object, so that a put whose response was lost can recognise it. */
  readonly writer = randomUUID();
  readonly sizeOf = partSize;
  readonly #context: PutContext;
  readonly #key: string;
  readonly #signal: AbortSignal;
  readonly #parts: Part[] = [];
  #multipart: Promise<Multipart> | undefined;
  #hasParked = false;

  constructor(context: PutContext, key: string, signal: AbortSignal) {
    this.#context = context;
    this.#key = key;
    this.#signal = signal;
  }

  get isBegun(): boolean {
    return this.#multipart !== undefined;
  }

  async send(number: number, bytes: Uint8Array): Promise<void> {
    this.#multipart ??= this.#begin();
    this.#parts.push(await (await this.#multipart).send(number, bytes, this.#signal));
  }

  async park(bytes: Uint8Array): Promise<void> {
    this.#hasParked = true;
    const { name, s3 } = this.#context.bucket;
    const input = { Bucket: name, Key: this.#parkedKey, Body: bytes, ContentLength: bytes.byteLength };
    await requireSuccess((options) => s3.putObject(input, options), this.#signal);
  }

  async unpark(): Promise<Uint8Array> {
    const bytes = await readKey(this.#context.bucket, this.#parkedKey, { offset: 0 });
    if (!bytes) throw new StorageFailure('unavailable', 'what a stalled upload had parked is gone');
    return bytes;
  }

  async complete(number: number, rest: Uint8Array, ifNoneMatch: boolean): Promise<void> {
    if (rest.byteLength > 0) await this.send(number, rest);
    const upload = await this.#multipart!;
    const { bucket } = this.#context;
    // Only AWS and few others support the condition on completion; for the others a race remains.
    if (ifNoneMatch && (await bucket.head(this.#key))) throw alreadyExists();
    this.#signal.throwIfAborted();
    if (await upload.complete(this.#parts, { ifNoneMatch })) return;
    if (await isOurs(bucket, this.#key, this.writer)) return;
    throw new StorageFailure('unavailable', 'the storage has lost an upload');
  }

  async abort(): Promise<void> {
    const upload = await this.#multipart?.catch(() => undefined);
    await upload?.abort().catch(() => this.#context.abandoned.add(upload));
  }

  async end(): Promise<void> {
    if (this.#hasParked) await this.#context.bucket.remove(this.#parkedKey).catch(() => {});
    const upload = await this.#multipart?.catch(() => undefined);
    if (upload) this.#context.ownUploads.delete(upload.uploadId);
  }

  get #parkedKey(): string {
    return this.#context.bucket.key('parked', this.writer);
  }

  async #begin(): Promise<Multipart> {
    const upload = await beginMultipart(this.#context.bucket, this.#key, { writer: this.writer });
    this.#context.ownUploads.add(upload.uploadId);
    return upload;
  }
}

async function abortAbandoned(abandoned: Set<Multipart>): Promise<void> {
  for (const upload of abandoned) {
    abandoned.delete(upload);
    await upload.abort().catch(() => abandoned.add(upload));
  }
}

interface Whole {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly ifNoneMatch: boolean;
  readonly writer: string;
}

async function putWhole(bucket: Bucket, { key, bytes, ifNoneMatch, writer }: Whole): Promise<void> {
  const input = {
    Bucket: bucket.name,
    Key: key,
    Body: bytes,
    ContentLength: bytes.byteLength,
    Metadata: { writer },
    ...(ifNoneMatch && { IfNoneMatch: '*' }),
  };
  for (let attempt = 1; ; attempt++) {
    try {
      await requireSuccess((options) => bucket.s3.putObject(input, options));
      return;
    } catch (error) {
      const { status } = responseOf(error);
      if (!ifNoneMatch || (status !== 412 && status !== 409)) throw error;
      if (await isOurs(bucket, key, writer)) return; // the response was lost, and the retry found our own object
      if (status === 412 || attempt === MAX_CONFLICT_RETRIES) throw alreadyExists(error);
    }
  }
}

async function isOurs(bucket: Bucket, key: string, writer: string): Promise<boolean> {
  return (await bucket.head(key))?.metadata['writer'] === writer;
}

function alreadyExists(cause?: unknown): StorageFailure {
  return new StorageFailure('exists', 'the object exists already', { cause });
}
