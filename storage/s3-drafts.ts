import type { Drafts } from './drafts.ts';
import { forEachChunk } from './for-each-chunk.ts';
import { isObjectId, requireObjectId, StorageFailure } from './object-store.ts';
import type { StoredObject } from './stored-object.ts';
import { PartWriter, type PartSink } from './part-writer.ts';
import { createHashCache, RunningHash } from './running-hash.ts';
import type { Bucket, S3Head } from './s3-bucket.ts';
import { requireSuccess } from './s3-failure.ts';
import { beginMultipart, multipart, partSize, type Multipart, type Part } from './s3-multipart.ts';
import type { PutContext } from './s3-put.ts';
import { readKey, streamKey } from './s3-read.ts';

// While a chunk arrives for hours, its draft must not look abandoned.
const TOUCH_MS = 5 * 60 * 1000;
const EMPTY = new Uint8Array(0);

interface Draft {
  readonly upload: Multipart;
  readonly parts: readonly Part[];
  readonly record: S3Head;
  /** Total size of the parts. */
  readonly partBytes: number;
  readonly tailBytes: number;
}

/**
 * A draft is a multipart upload of its object plus a record: the object `drafts/<id>`, whose metadata names the upload
 * and whose bytes are the tail that is not a whole part yet. The record gives the offset of its tail; one that starts
 * before the end of the parts is outdated: a process died between sending a part and writing the record.
 */
export function openS3Drafts({ bucket, pool }: Pick<PutContext, 'bucket' | 'pool'>): Drafts {
  const hashes = createHashCache();
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
    if (!parts) return undefined; // finished, or removed by a lifecycle rule of the bucket
    const partBytes = parts.reduce((sum, { size }) => sum + size, 0);
    const isCurrent = Number(record.metadata['start']) === partBytes;
    return { upload, parts, record, partBytes, tailBytes: isCurrent ? record.size : 0 };
  }

  /** Reads the object once more if its hash is unknown. */
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
      await new DraftAppend(bucket, { key: recordKey(id), upload, end: 0 }).park(EMPTY);
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
      const sink = new DraftAppend(bucket, { key: recordKey(id), upload, end: partBytes });
      const { signal: never } = new AbortController(); // received bytes are kept, however the body ends
      const start = {
        pool,
        maxParallelParts: 1,
        signal: never,
        number: parts.length + 1,
        parkedBytes: tailBytes,
      };
      const writer = new PartWriter(sink, start);
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
        const end = await sink.finish(await writer.finish());
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
        await upload.complete([...parts, ...last]); // if the upload is gone, the object exists or `describe` fails
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

/** Appends one body: whole parts, and a record with the rest. */
class DraftAppend implements PartSink {
  readonly sizeOf = partSize;
  readonly #bucket: Bucket;
  readonly #key: string;
  readonly #upload: Multipart;
  /** End of the parts that have arrived. */
  #end: number;
  #recordedAt = Date.now();

  constructor(bucket: Bucket, { key, upload, end }: { key: string; upload: Multipart; end: number }) {
    this.#bucket = bucket;
    this.#key = key;
    this.#upload = upload;
    this.#end = end;
  }

  // Sent sequentially, so that the parts that arrived are always the first ones.
  async send(number: number, bytes: Uint8Array): Promise<void> {
    await this.#upload.send(number, bytes);
    this.#end += bytes.byteLength;
    if (Date.now() - this.#recordedAt > TOUCH_MS) await this.park(EMPTY);
  }

  async park(tail: Uint8Array): Promise<void> {
    const input = {
      Bucket: this.#bucket.name,
      Key: this.#key,
      Body: tail,
      ContentLength: tail.byteLength,
      Metadata: { upload: this.#upload.uploadId, start: String(this.#end) },
    };
    await requireSuccess((options) => this.#bucket.s3.putObject(input, options));
    this.#recordedAt = Date.now();
  }

  async unpark(): Promise<Uint8Array> {
    const tail = await readKey(this.#bucket, this.#key, { offset: 0 });
    if (!tail) throw noDraft();
    return tail;
  }

  /** @returns the new offset of the draft */
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

/**
 * Identifies the bytes of a draft: if another replica restarted or continued it, the upload or the offset differs.
 */
function markOf({ uploadId }: Multipart, offset: number): string {
  return `${uploadId} ${offset}`;
}

function noDraft(): StorageFailure {
  return new StorageFailure('conflict', 'there is no such draft');
}
