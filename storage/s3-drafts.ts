import type { Drafts } from './drafts.ts';
import { forEachChunk } from './for-each-chunk.ts';
import { isObjectId, requireObjectId, StorageFailure, type StoredObject } from './object-store.ts';
import { PartWriter, type PartsTarget } from './part-writer.ts';
import { keepHashes, RunningHash } from './running-hash.ts';
import type { Bucket, S3Head } from './s3-bucket.ts';
import { insist } from './s3-failure.ts';
import { beginMultipart, multipart, partSize, type Multipart, type Part } from './s3-multipart.ts';
import type { PutContext } from './s3-put.ts';
import { readKey, streamKey } from './s3-read.ts';

// While a piece arrives for hours, its draft must not look forgotten.
const TOUCH_MS = 5 * 60 * 1000;
const NOTHING = new Uint8Array(0);

interface Draft {
  readonly upload: Multipart;
  readonly parts: readonly Part[];
  readonly record: S3Head;
  /** Of all parts. */
  readonly partBytes: number;
  readonly tailBytes: number;
}

/**
 * Each draft is a multipart upload of its object, and a record beside it: the object `drafts/<id>`, whose metadata names
 * the upload, and whose bytes are the tail that is no whole part yet. The record says at which offset its tail begins; one
 * that begins before the end of the parts is outdated: a process died between sending a part and writing the record.
 */
export function openS3Drafts({ bucket, pool }: Pick<PutContext, 'bucket' | 'pool'>): Drafts {
  const hashes = keepHashes();
  const objectKey = (id: string) => bucket.key('objects', id);

  function recordKey(id: string): string {
    requireObjectId(id);
    return bucket.key('drafts', id);
  }

  async function find(id: string): Promise<Draft | undefined> {
    const record = await bucket.head(recordKey(id));
    if (!record) return undefined;
    const upload = multipart(bucket, objectKey(id), record.metadata['upload'] ?? '');
    const parts = await upload.parts();
    if (!parts) return undefined; // finished, or ended by a rule of the bucket
    const partBytes = parts.reduce((sum, { size }) => sum + size, 0);
    const isCurrent = Number(record.metadata['start']) === partBytes;
    return { upload, parts, record, partBytes, tailBytes: isCurrent ? record.size : 0 };
  }

  /** The object's bytes are read once more, if they are not known. */
  async function describe(id: string, known?: StoredObject): Promise<StoredObject> {
    const described = known ?? (await hashOf(bucket, objectKey(id)));
    if (!described) throw noDraft();
    await bucket.remove(recordKey(id));
    return described;
  }

  const drafts: Drafts = {
    async begin(id) {
      await drafts.drop(id);
      const upload = await beginMultipart(bucket, objectKey(id));
      await new Piece(bucket, { key: recordKey(id), upload, end: 0 }).park(NOTHING);
    },

    async offset(id) {
      const draft = await find(id);
      return draft && draft.partBytes + draft.tailBytes;
    },

    async append(id, offset, body, { signal } = {}) {
      signal?.throwIfAborted();
      const draft = await find(id);
      if (!draft) throw noDraft();
      const { upload, parts, partBytes, tailBytes } = draft;
      const before = partBytes + tailBytes;
      if (before !== offset) {
        throw new StorageFailure('conflict', `the draft has ${before} bytes, not ${offset}`);
      }
      const hash = hashes.take(id, markOf(upload, offset)) ?? (offset === 0 ? new RunningHash() : undefined);
      const piece = new Piece(bucket, { key: recordKey(id), upload, end: partBytes });
      const { signal: never } = new AbortController(); // what has arrived is kept, whatever ends the body
      const start = { pool, lanes: 1, signal: never, number: parts.length + 1, parkedBytes: tailBytes };
      const writer = new PartWriter(piece, start);
      let broken: { error: unknown } | undefined;
      try {
        await forEachChunk(body, signal, (chunk) => {
          hash?.update(chunk);
          return writer.add(chunk);
        });
      } catch (error) {
        broken = { error };
      }
      try {
        const end = await piece.finish(await writer.finish());
        if (hash?.bytes === end) hashes.keep(id, markOf(upload, end), hash);
        if (!broken) return end;
      } catch (error) {
        broken ??= { error };
      } finally {
        await writer.close();
      }
      throw broken.error;
    },

    async finish(id) {
      const draft = await find(id);
      if (!draft) return await describe(id);
      const { upload, parts, record, partBytes, tailBytes } = draft;
      const size = partBytes + tailBytes;
      const hash = hashes.take(id, markOf(upload, size));
      const tail = { key: recordKey(id), etag: record.etag, start: 0, end: tailBytes };
      if (parts.length === 0) {
        await bucket.copy(tail.key, objectKey(id));
        await upload.abort();
      } else {
        const last = tailBytes > 0 ? [await upload.copy(parts.length + 1, tail)] : [];
        await upload.complete([...parts, ...last]); // where it is gone, the object is there or `describe` fails
      }
      return await describe(id, hash && { size, sha256: hash.digest() });
    },

    async drop(id) {
      hashes.forget(id);
      const record = await bucket.head(recordKey(id));
      if (!record) return;
      await multipart(bucket, objectKey(id), record.metadata['upload'] ?? '').abort();
      await bucket.remove(recordKey(id));
    },

    async *list() {
      for await (const { id, modifiedAt } of bucket.list('drafts', '')) {
        if (isObjectId(id)) yield { id, modifiedAt };
      }
    },
  };
  return drafts;
}

/** What comes of one body: whole parts, and a record with the rest. */
class Piece implements PartsTarget {
  readonly sizeOf = partSize;
  readonly #bucket: Bucket;
  readonly #key: string;
  readonly #upload: Multipart;
  /** Of the parts that have arrived. */
  #end: number;
  #recordedAt = Date.now();

  constructor(bucket: Bucket, { key, upload, end }: { key: string; upload: Multipart; end: number }) {
    this.#bucket = bucket;
    this.#key = key;
    this.#upload = upload;
    this.#end = end;
  }

  // One after the other, so that parts that have arrived are always the first ones.
  async send(number: number, bytes: Uint8Array): Promise<void> {
    await this.#upload.send(number, bytes);
    this.#end += bytes.byteLength;
    if (Date.now() - this.#recordedAt > TOUCH_MS) await this.park(NOTHING);
  }

  async park(tail: Uint8Array): Promise<void> {
    const input = {
      Bucket: this.#bucket.name,
      Key: this.#key,
      Body: tail,
      ContentLength: tail.byteLength,
      Metadata: { upload: this.#upload.uploadId, start: String(this.#end) },
    };
    await insist((options) => this.#bucket.s3.putObject(input, options));
    this.#recordedAt = Date.now();
  }

  async unpark(): Promise<Uint8Array> {
    const tail = await readKey(this.#bucket, this.#key, { offset: 0 });
    if (!tail) throw noDraft();
    return tail;
  }

  /** @returns the offset after it */
  async finish(tail: Uint8Array): Promise<number> {
    await this.park(tail);
    return this.#end + tail.byteLength;
  }
}

async function hashOf(bucket: Bucket, key: string): Promise<StoredObject | undefined> {
  const stream = await streamKey(bucket, key, { offset: 0 });
  if (!stream) return undefined;
  const hash = new RunningHash();
  for await (const chunk of stream as AsyncIterable<Uint8Array>) hash.update(chunk);
  return { size: hash.bytes, sha256: hash.digest() };
}

/** Another replica may have begun the draft anew, or gone on with it: then the upload or the offset is another. */
function markOf({ uploadId }: Multipart, offset: number): string {
  return `${uploadId} ${offset}`;
}

function noDraft(): StorageFailure {
  return new StorageFailure('conflict', 'there is no such draft');
}
