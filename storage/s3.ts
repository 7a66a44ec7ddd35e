import {
  isObjectId,
  requireIdPrefix,
  requireObjectId,
  requireRange,
  StorageFailure,
  type ObjectStore,
} from './object-store.ts';
import { forEachParallel } from './for-each-parallel.ts';
import type { ObjectHead } from './stored-object.ts';
import { openPartPool } from './part-pool.ts';
import { openBucket, type Bucket } from './s3-bucket.ts';
import { openS3Drafts } from './s3-drafts.ts';
import { responseOf, requireSuccess } from './s3-failure.ts';
import { removeLeftovers } from './s3-leftovers.ts';
import { beginMultipart, PART_BYTES, type Part } from './s3-multipart.ts';
import { putObject, type PutContext } from './s3-put.ts';
import { openKey, readKey, streamKey } from './s3-read.ts';
import type { S3Credentials, S3Setting } from './s3-setting.ts';

const MIB = 1024 * 1024;
/** Parts in memory, and so being sent, at once in the whole process. */
const MAX_PARTS_IN_MEMORY = 12;
/** Requests at once for each call that stores many small objects. */
const MAX_SMALL_PUTS = 16;
const CLEAN_UP_INTERVAL_MS = 60 * 60 * 1000;

export interface S3Tuning {
  /** After waiting this long, an upload makes stalled ones release their memory. */
  readonly reclaimAfterMs?: number;
  /** S3 copies up to 5 GiB in one request; larger objects in parts of `copyPartBytes`. */
  readonly copyAtOnceBytes?: number;
  readonly copyPartBytes?: number;
  /** undefined: from a source that the SDK knows, such as a profile. */
  readonly credentials?: S3Credentials;
  /** Receives one-line messages for the operator. */
  readonly warn?: (line: string) => void;
}

/**
 * Objects in a bucket of S3, or of a server that speaks it:
 *
 *     objects/<id>   complete
 *     drafts/<id>    what arrives in pieces: which multipart upload of objects/<id>, and the tail of its bytes
 *     parked/<uuid>  the beginning of a part of an upload that stalled while others waited for its memory
 *
 * Throws an Error that says what to do if the bucket does not exist or may not be used. A server that does not answer is
 * only reported to `warn`: the store works once it does.
 */
export async function openS3Store(
  setting: S3Setting,
  {
    reclaimAfterMs = 10_000,
    copyAtOnceBytes = 5 * 1024 * MIB,
    copyPartBytes = 1024 * MIB,
    credentials,
    warn,
  }: S3Tuning = {},
): Promise<ObjectStore> {
  const bucket = openBucket(setting, credentials);
  const pool = openPartPool({ limitBytes: MAX_PARTS_IN_MEMORY * PART_BYTES, patienceMs: reclaimAfterMs });
  const context: PutContext = { bucket, pool, ownUploads: new Set(), abandoned: new Set() };
  await requireBucket(bucket, warn);

  function keyOf(id: string): string {
    requireObjectId(id);
    return bucket.key('objects', id);
  }

  const cleanUp = () => {
    removeLeftovers(bucket, context.ownUploads, new Date()).catch((error: unknown) => {
      warn?.(`The left-overs of broken uploads on S3 could not be removed: ${messageOf(error)}`);
    });
  };
  cleanUp();
  setInterval(cleanUp, CLEAN_UP_INTERVAL_MS).unref();

  return {
    async put(id, body, { ifNoneMatch = false, signal } = {}) {
      const key = keyOf(id);
      signal?.throwIfAborted();
      if (ifNoneMatch && (await bucket.head(key))) {
        throw new StorageFailure('exists', 'the object exists already'); // checked before the upload too, to fail early
      }
      return await putObject(context, key, { body, ifNoneMatch, signal });
    },

    async putAll(objects) {
      await forEachParallel(objects, MAX_SMALL_PUTS, async ({ id, bytes }) => {
        const input = { Bucket: bucket.name, Key: keyOf(id), Body: bytes, ContentLength: bytes.byteLength };
        await requireSuccess((options) => bucket.s3.putObject(input, options));
      });
    },

    async head(id) {
      const head = await bucket.head(keyOf(id));
      return head && { size: head.size, modifiedAt: head.modifiedAt };
    },

    async read(id, range) {
      requireRange(range);
      return await readKey(bucket, keyOf(id), range ?? { offset: 0 });
    },

    async stream(id, range) {
      requireRange(range);
      return await streamKey(bucket, keyOf(id), range ?? { offset: 0 });
    },

    async open(id) {
      return await openKey(bucket, keyOf(id));
    },

    async remove(id) {
      await bucket.remove(keyOf(id));
    },

    async *list(prefix = '') {
      requireIdPrefix(prefix);
      for await (const object of bucket.list('objects', prefix)) if (isObjectId(object.id)) yield object;
    },

    async copy(from, to) {
      const [source, target] = [keyOf(from), keyOf(to)];
      const head = await bucket.head(source);
      if (!head) return undefined;
      const { size, etag } = head;
      if (size > copyAtOnceBytes)
        return await copyInParts(bucket, { source, target, size, etag }, copyPartBytes);
      const modifiedAt = await bucket.copy(source, target);
      return modifiedAt && { size, modifiedAt };
    },

    drafts: openS3Drafts(context),
  };
}

/** The bucket is never created here: its region, access and encryption are the operator's decision. */
async function requireBucket({ name, s3 }: Bucket, warn: S3Tuning['warn']): Promise<void> {
  try {
    await requireSuccess((options) => s3.headBucket({ Bucket: name }, options));
  } catch (error) {
    const { status, code } = responseOf(error);
    const say = (what: string) =>
      new Error(`The bucket “${name}” of PLATEN_STORAGE ${what}`, { cause: error });
    if (status === 404) throw say('does not exist: create it, or correct the setting.');
    if (status === 403)
      throw say('may not be used with these credentials: see docs/operating.md for the rights.');
    if (status === 301 || status === 400) throw say('is in another region: set “region”.');
    if (code === 'CredentialsProviderError') {
      throw say('needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
    }
    warn?.(`The bucket “${name}” cannot be reached now, requests will be answered 503: ${messageOf(error)}`);
  }
}

interface LargeCopy {
  readonly source: string;
  readonly target: string;
  readonly size: number;
  readonly etag: string;
}

async function copyInParts(
  bucket: Bucket,
  { source, target, size, etag }: LargeCopy,
  pieceBytes: number,
): Promise<ObjectHead | undefined> {
  const upload = await beginMultipart(bucket, target);
  try {
    const parts: Part[] = [];
    for (let start = 0; start < size; start += pieceBytes) {
      const end = Math.min(size, start + pieceBytes);
      parts.push(await upload.copy(parts.length + 1, { key: source, etag, start, end }));
    }
    await upload.complete(parts);
    return await bucket.head(target);
  } catch (error) {
    await upload.abort().catch(() => {});
    if (!(await bucket.head(source))) return undefined;
    throw error;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
