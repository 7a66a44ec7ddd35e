import type { Bucket } from './s3-bucket.ts';
import { callS3, responseOf, requireSuccess } from './s3-failure.ts';
import { StorageFailure } from './object-store.ts';

const MIB = 1024 * 1024;
// S3 allows 10,000 parts per object. The first ones are small, as many have to fit in memory.
export const PART_BYTES = 8 * MIB;
const LARGE_PART_BYTES = 16 * MIB;
const SMALL_PARTS = 2_000;
const MAX_PARTS = 10_000;

/** In bytes; a part of a given number always has the same place in the object. */
export function partSize(number: number): number {
  if (number > MAX_PARTS)
    throw new StorageFailure('full', 'no object on S3 may be larger than about 140 GiB');
  return number <= SMALL_PARTS ? PART_BYTES : LARGE_PART_BYTES;
}

export interface Part {
  readonly PartNumber: number;
  readonly ETag: string;
  /** In bytes. */
  readonly size: number;
}

/** A multipart upload of the object at `key`. */
export interface Multipart {
  readonly uploadId: string;
  send(number: number, bytes: Uint8Array, signal?: AbortSignal): Promise<Part>;
  /** Server-side copy of another object, or a range of it, as a part. */
  copy(number: number, source: CopiedBytes): Promise<Part>;
  /** The parts that have arrived, from the first on without a gap; undefined if the upload does not exist. */
  parts(): Promise<Part[] | undefined>;
  /** Completes the object; false if the upload does not exist (any more). @throws `exists`, with `ifNoneMatch` */
  complete(parts: readonly Part[], options?: { ifNoneMatch?: boolean }): Promise<boolean>;
  /** A missing upload is not an error. */
  abort(): Promise<void>;
}

interface CopiedBytes {
  readonly key: string;
  readonly etag: string;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export async function beginMultipart(
  bucket: Bucket,
  key: string,
  metadata: Readonly<Record<string, string>> = {},
): Promise<Multipart> {
  const { UploadId } = await requireSuccess((options) =>
    bucket.s3.createMultipartUpload({ Bucket: bucket.name, Key: key, Metadata: metadata }, options),
  );
  if (!UploadId) throw new StorageFailure('unavailable', 'the storage began an upload without an id');
  return multipart(bucket, key, UploadId);
}

export function multipart({ name, s3, slowCalls }: Bucket, key: string, uploadId: string): Multipart {
  const at = { Bucket: name, Key: key, UploadId: uploadId };
  return {
    uploadId,

    async send(number, bytes, signal) {
      const size = bytes.byteLength;
      const input = { ...at, PartNumber: number, Body: bytes, ContentLength: size };
      const { ETag = '' } = await requireSuccess((options) => s3.uploadPart(input, options), signal);
      return { PartNumber: number, ETag, size };
    },

    async copy(number, { key: from, etag, start, end }) {
      const source = { CopySource: `${name}/${from}`, CopySourceIfMatch: etag };
      const range = { CopySourceRange: `bytes=${start}-${end - 1}` };
      const { CopyPartResult } = await requireSuccess((options) =>
        slowCalls.uploadPartCopy({ ...at, ...source, ...range, PartNumber: number }, options),
      );
      return { PartNumber: number, ETag: CopyPartResult?.ETag ?? '', size: end - start };
    },

    async parts() {
      const parts: Part[] = [];
      for (let marker: string | undefined; ;) {
        const input = { ...at, PartNumberMarker: marker };
        const page = await callS3((options) => s3.listParts(input, options), { absent: ['NoSuchUpload'] });
        if (!page) return undefined;
        for (const { PartNumber, ETag = '', Size: size = 0 } of page.Parts ?? []) {
          if (PartNumber !== parts.length + 1) return parts;
          parts.push({ PartNumber, ETag, size });
        }
        if (!page.IsTruncated || page.NextPartNumberMarker === undefined) return parts;
        marker = page.NextPartNumberMarker;
      }
    },

    async complete(parts, { ifNoneMatch = false } = {}) {
      const Parts = parts.toSorted((a, b) => a.PartNumber - b.PartNumber);
      const input = {
        ...at,
        MultipartUpload: { Parts: Parts.map(({ PartNumber, ETag }) => ({ PartNumber, ETag })) },
        ...(ifNoneMatch && { IfNoneMatch: '*' }),
      };
      try {
        const absent = ['NoSuchUpload'];
        return (
          (await callS3((options) => slowCalls.completeMultipartUpload(input, options), { absent })) !==
          undefined
        );
      } catch (error) {
        if (responseOf(error).status !== 412) throw error;
        throw new StorageFailure('exists', 'the object exists already', { cause: error });
      }
    },

    async abort() {
      await callS3((options) => s3.abortMultipartUpload(at, options), { absent: ['NoSuchUpload'] });
    },
  };
}
