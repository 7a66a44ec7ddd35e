import { randomUUID } from 'node:crypto';
import { forEachChunk } from './for-each-chunk.ts';
import { StorageFailure, type PutOptions, type StoredObject } from './object-store.ts';
import type { PartPool } from './part-pool.ts';
import { PartWriter, type PartsTarget } from './part-writer.ts';
import { RunningHash } from './running-hash.ts';
import type { Bucket } from './s3-bucket.ts';
import { answerOf, insist } from './s3-failure.ts';
import { beginMultipart, partSize, type Multipart, type Part } from './s3-multipart.ts';
import { readKey } from './s3-read.ts';

// Enough for one client to fill a line of some length; all the uploads together are held by the pool.
const LANES = 4;
// AWS refuses all of several writers that come at the very same time, and lets one of them win later.
const COLLISIONS = 5;

export interface PutContext {
  readonly bucket: Bucket;
  readonly pool: PartPool;
  /** The multipart uploads that this process is at, which are no left-overs. */
  readonly live: Set<string>;
  /** Uploads that could not be ended while the server was away; the next put that succeeds ends them. */
  readonly abandoned: Set<Multipart>;
}

/** Stores what the body yields at a key: with one request when it fits into a part, otherwise part by part. */
export async function putObject(
  context: PutContext,
  key: string,
  { body, ifNoneMatch = false, signal }: PutOptions & { body: AsyncIterable<Uint8Array> },
): Promise<StoredObject> {
  const { bucket, pool } = context;
  const hash = new RunningHash();
  const ending = new AbortController();
  const wanted = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
  const upload = new Upload(context, key, wanted);
  const writer = new PartWriter(upload, { pool, lanes: LANES, signal: wanted });
  try {
    await forEachChunk(body, signal, (chunk) => {
      hash.update(chunk);
      return writer.add(chunk);
    });
    const rest = await writer.finish();
    if (upload.isBegun) await upload.complete(writer.number, rest, ifNoneMatch);
    else await putWhole(bucket, { key, bytes: rest, ifNoneMatch, writer: upload.writer });
    await endAbandoned(context.abandoned);
    return { size: hash.bytes, sha256: hash.digest() };
  } catch (error) {
    ending.abort(error);
    await writer.close();
    // A server that is away has taken its time already: nobody waits for it to forget the parts.
    const ended = upload.abort();
    if (!(error instanceof StorageFailure && error.code === 'unavailable')) await ended;
    throw error;
  } finally {
    await writer.close();
    await upload.end();
  }
}

/** The parts of one put. Nothing of it is on the server before the first part is full. */
class Upload implements PartsTarget {
  /** Written with the object, by which a put whose answer got lost knows it again. */
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
    await insist((options) => s3.putObject(input, options), this.#signal);
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
    // Only AWS and few others know the condition with this request; for the others, this leaves a moment.
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
    if (upload) this.#context.live.delete(upload.uploadId);
  }

  get #parkedKey(): string {
    return this.#context.bucket.key('parked', this.writer);
  }

  async #begin(): Promise<Multipart> {
    const upload = await beginMultipart(this.#context.bucket, this.#key, { writer: this.writer });
    this.#context.live.add(upload.uploadId);
    return upload;
  }
}

async function endAbandoned(abandoned: Set<Multipart>): Promise<void> {
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
      await insist((options) => bucket.s3.putObject(input, options));
      return;
    } catch (error) {
      const { status } = answerOf(error);
      if (!ifNoneMatch || (status !== 412 && status !== 409)) throw error;
      if (await isOurs(bucket, key, writer)) return; // the answer to it got lost, and the next attempt met it
      if (status === 412 || attempt === COLLISIONS) throw alreadyExists(error);
    }
  }
}

async function isOurs(bucket: Bucket, key: string, writer: string): Promise<boolean> {
  return (await bucket.head(key))?.metadata['writer'] === writer;
}

function alreadyExists(cause?: unknown): StorageFailure {
  return new StorageFailure('exists', 'the object exists already', { cause });
}
