import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageFailure, type ByteRange, type OpenObject } from './object-store.ts';
import type { Bucket } from './s3-bucket.ts';
import { answerOf, insist } from './s3-failure.ts';

const STREAM_BYTES = 256 * 1024;
// A reader that takes its time loses its connection, which costs nothing: only breaks without a byte between count.
const BREAKS = 3;

interface Wanted extends ByteRange {
  /** Of this version only. */
  readonly etag?: string;
  readonly signal?: AbortSignal;
}

interface Answer {
  readonly body: Readable | undefined;
  readonly etag: string;
  /** Where the range ends, exclusive. */
  readonly end: number;
}

/** The bytes of a range; `undefined` when there is no object of this key. */
export async function readKey(bucket: Bucket, key: string, wanted: Wanted): Promise<Uint8Array | undefined> {
  if (wanted.length === 0) return (await bucket.head(key)) && new Uint8Array(0);
  const first = await get(bucket, key, wanted);
  if (!first) return undefined;
  const bytes = Buffer.allocUnsafeSlow(Math.max(0, first.end - wanted.offset));
  let filled = 0;
  for await (const chunk of chunksOf(bucket, key, { first, wanted })) {
    bytes.set(chunk, filled);
    filled += chunk.byteLength;
  }
  return bytes;
}

/** The bytes of a range as they are taken; `undefined` when there is no object of this key. */
export async function streamKey(
  bucket: Bucket,
  key: string,
  range: ByteRange,
): Promise<Readable | undefined> {
  if (range.length === 0) return (await bucket.head(key)) && Readable.from([], { objectMode: false });
  const ending = new AbortController();
  const wanted = { ...range, signal: ending.signal };
  const first = await get(bucket, key, wanted);
  if (!first) return undefined;
  const chunks = chunksOf(bucket, key, { first, wanted });
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

/** The object as it is now; reads fail with `unavailable` once it is replaced or removed. */
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
      return bytes ?? goneMeanwhile();
    },
    async close() {
      isClosed = true;
    },
  };
}

/** Goes on where the connection broke, in the same version. */
async function* chunksOf(
  bucket: Bucket,
  key: string,
  { first, wanted }: { first: Answer; wanted: Wanted },
): AsyncGenerator<Uint8Array, void, undefined> {
  const { etag, end } = first;
  let answer: Answer | undefined = first;
  let at = wanted.offset;
  for (let breaks = 0; ; breaks++) {
    try {
      for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
        yield chunk;
        at += chunk.byteLength;
        breaks = 0;
      }
    } catch (error) {
      wanted.signal?.throwIfAborted();
      if (breaks === BREAKS) throw brokenOff(error);
    }
    if (at >= end) return;
    if (breaks === BREAKS) throw brokenOff();
    if (breaks > 0) await sleep(100 * 2 ** breaks, undefined, { ref: false });
    answer = (await get(bucket, key, { ...wanted, offset: at, length: end - at, etag })) ?? goneMeanwhile();
  }
}

/** `undefined`: there is no such object, or not in this version. A range behind the end is empty. */
async function get(bucket: Bucket, key: string, wanted: Wanted): Promise<Answer | undefined> {
  const { offset, length, etag, signal } = wanted;
  const last = length === undefined ? '' : offset + length - 1;
  const input = {
    Bucket: bucket.name,
    Key: key,
    ...((offset > 0 || length !== undefined) && { Range: `bytes=${offset}-${last}` }),
    ...(etag !== undefined && { IfMatch: etag }),
  };
  try {
    const reply = await insist((options) => bucket.s3.getObject(input, options), signal);
    const body = reply.Body as Readable;
    body.on('error', () => {}); // a break before anybody reads; whoever reads is told
    const [, start, end] = /^bytes (\d+)-(\d+)\//.exec(reply.ContentRange ?? '') ?? [];
    if (input.Range !== undefined && Number(start) !== offset) {
      body.destroy();
      throw new StorageFailure('unavailable', 'the storage answered with another range than was asked for');
    }
    return { body, etag: reply.ETag ?? '', end: end ? Number(end) + 1 : (reply.ContentLength ?? 0) };
  } catch (error) {
    const { code } = answerOf(error);
    if (code === 'InvalidRange') return { body: undefined, etag: '', end: offset };
    if (code === 'NoSuchKey' || code === 'PreconditionFailed') return undefined;
    throw error;
  }
}

function goneMeanwhile(): never {
  throw new StorageFailure('unavailable', 'the object was replaced or removed while it was read');
}

function brokenOff(cause?: unknown): StorageFailure {
  return new StorageFailure('unavailable', 'the storage broke off in the middle of an object', { cause });
}
