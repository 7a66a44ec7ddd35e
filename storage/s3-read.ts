import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageFailure, type ByteRange, type OpenObject } from './object-store.ts';
import type { Bucket } from './s3-bucket.ts';
import { responseOf, requireSuccess } from './s3-failure.ts';

const STREAM_BYTES = 256 * 1024;
// A slow reader loses its connection, which is harmless: only consecutive breaks without a byte count.
const MAX_RECONNECTS = 3;

interface ReadRequest extends ByteRange {
  /** Only this version is read. */
  readonly etag?: string;
  readonly signal?: AbortSignal;
}

interface Answer {
  readonly body: Readable | undefined;
  readonly etag: string;
  /** End of the range, exclusive. */
  readonly end: number;
}

/** Reads a range into one array; undefined if the object does not exist. */
export async function readKey(
  bucket: Bucket,
  key: string,
  request: ReadRequest,
): Promise<Uint8Array | undefined> {
  if (request.length === 0) return (await bucket.head(key)) && new Uint8Array(0);
  const first = await get(bucket, key, request);
  if (!first) return undefined;
  const bytes = Buffer.allocUnsafeSlow(Math.max(0, first.end - request.offset));
  let filled = 0;
  for await (const chunk of chunksOf(bucket, key, { first, request })) {
    bytes.set(chunk, filled);
    filled += chunk.byteLength;
  }
  return bytes;
}

/** Streams a range on demand; undefined if the object does not exist. */
export async function streamKey(
  bucket: Bucket,
  key: string,
  range: ByteRange,
): Promise<Readable | undefined> {
  if (range.length === 0) return (await bucket.head(key)) && Readable.from([], { objectMode: false });
  const ending = new AbortController();
  const request = { ...range, signal: ending.signal };
  const first = await get(bucket, key, request);
  if (!first) return undefined;
  const chunks = chunksOf(bucket, key, { first, request });
  return new Readable({
    highWaterMark: STREAM_BYTES,
    read() {
      chunks.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      ending.abort(new StorageFailure('unavailable', 'the stream has ended'));
      done(error);
    },
  });
}

/** Opens the current version; reads fail with `unavailable` once it is replaced or removed. */
export async function openKey(bucket: Bucket, key: string): Promise<OpenObject | undefined> {
  const head = await bucket.head(key);
  if (!head) return undefined;
  const { size, modifiedAt, etag } = head;
  let isClosed = false;
  return {
    size,
    modifiedAt,
    async read(offset, length) {
      if (isClosed) throw new StorageFailure('unavailable', 'the object is closed');
      const end = Math.min(size, offset + length);
      if (end <= offset) return new Uint8Array(0);
      const bytes = await readKey(bucket, key, { offset, length: end - offset, etag });
      return bytes ?? versionGone();
    },
    async close() {
      isClosed = true;
    },
  };
}

/** Resumes a broken connection in the same version. */
async function* chunksOf(
  bucket: Bucket,
  key: string,
  { first, request }: { first: Answer; request: ReadRequest },
): AsyncGenerator<Uint8Array, void, undefined> {
  const { etag, end } = first;
  let answer: Answer | undefined = first;
  let at = request.offset;
  for (let breaks = 0; ; breaks++) {
    try {
      for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
        yield chunk;
        at += chunk.byteLength;
        breaks = 0;
      }
    } catch (error) {
      request.signal?.throwIfAborted();
      if (breaks === MAX_RECONNECTS) throw connectionLost(error);
    }
    if (at >= end) return;
    if (breaks === MAX_RECONNECTS) throw connectionLost();
    if (breaks > 0) await sleep(100 * 2 ** breaks, undefined, { ref: false });
    answer = (await get(bucket, key, { ...request, offset: at, length: end - at, etag })) ?? versionGone();
  }
}

/** Undefined if the object, or this version of it, does not exist. A range beyond the end is empty. */
async function get(bucket: Bucket, key: string, request: ReadRequest): Promise<Answer | undefined> {
  const { offset, length, etag, signal } = request;
  const last = length === undefined ? '' : offset + length - 1;
  const input = {
    Bucket: bucket.name,
    Key: key,
    ...((offset > 0 || length !== undefined) && { Range: `bytes=${offset}-${last}` }),
    ...(etag !== undefined && { IfMatch: etag }),
  };
  try {
    const reply = await requireSuccess((options) => bucket.s3.getObject(input, options), signal);
    const body = reply.Body as Readable;
    body.on('error', () => {}); // a break before anyone reads; the reader gets it
    const [, start, end] = /^bytes (\d+)-(\d+)\//.exec(reply.ContentRange ?? '') ?? [];
    if (input.Range !== undefined && Number(start) !== offset) {
      body.destroy();
      throw new StorageFailure('unavailable', 'the storage answered with another range than was asked for');
    }
    return { body, etag: reply.ETag ?? '', end: end ? Number(end) + 1 : (reply.ContentLength ?? 0) };
  } catch (error) {
    const { code } = responseOf(error);
    if (code === 'InvalidRange') return { body: undefined, etag: '', end: offset };
    if (code === 'NoSuchKey' || code === 'PreconditionFailed') return undefined;
    throw error;
  }
}

function versionGone(): never {
  throw new StorageFailure('unavailable', 'the object was replaced or removed while it was read');
}

function connectionLost(cause?: unknown): StorageFailure {
  return new StorageFailure('unavailable', 'the storage broke off in the middle of an object', { cause });
}
