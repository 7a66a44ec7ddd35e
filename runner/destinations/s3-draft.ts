import type { FileHeaders, Draft } from './destination.ts';
import { askS3, type S3Place } from './s3-ask.ts';

const mebibyte = 1024 * 1024;
/** Smaller files are sent in one request. S3 allows 10,000 parts of 5 MiB to 5 GiB. */
const partBytes = 8 * mebibyte;
const maxParts = 9_000;
/** Memory for parts, shared by all uploads. */
const partsInMemory = 128 * mebibyte;

export interface Slots {
  /** Waits for memory for a part. @returns the function that releases it */
  take(bytes: number): Promise<() => void>;
}

export function limitParts(maxBytes = partsInMemory): Slots {
  let taken = 0;
  const waiting: (() => void)[] = [];
  return {
    async take(bytes) {
      while (taken > 0 && taken + bytes > maxBytes) await new Promise<void>((go) => waiting.push(go));
      taken += bytes;
      return () => {
        taken -= bytes;
        for (const go of waiting.splice(0)) go();
      };
    },
  };
}

interface DraftOptions {
  readonly at: { readonly Bucket: string; readonly Key: string };
  readonly body: AsyncIterable<Uint8Array>;
  readonly about: FileHeaders;
  readonly slots: Slots;
}

/** Collects the chunks of one part. */
interface Part {
  readonly chunks: Uint8Array[];
  bytes: number;
}

/** Creates a draft: the bytes in memory for a small file, otherwise an unfinished multipart upload. */
export async function draftObject(place: S3Place, { at, body, about, slots }: DraftOptions): Promise<Draft> {
  const headers = headersOf(about);
  const bytesOfPart = Math.max(partBytes, Math.ceil((about.size ?? 0) / maxParts / mebibyte) * mebibyte);
  const giveBack = await slots.take(Math.min(bytesOfPart, about.size ?? bytesOfPart));
  const upload = multipart(place, { at, headers });
  let part: Part = { chunks: [], bytes: 0 };
  try {
    for await (const whole of body) {
      let rest = whole;
      while (part.bytes + rest.byteLength > bytesOfPart) {
        const fitting = rest.subarray(0, bytesOfPart - part.bytes);
        rest = rest.subarray(fitting.byteLength);
        await upload.send([...part.chunks, fitting]);
        part = { chunks: [], bytes: 0 };
      }
      part.chunks.push(rest);
      part.bytes += rest.byteLength;
    }
    if (!upload.hasBegun()) return wholeDraft(place, { at, headers, bytes: Buffer.concat(part.chunks) });
    await upload.send(part.chunks);
    return upload;
  } catch (error) {
    await upload.drop().catch(() => {}); // otherwise `tidy` of the next run removes it
    throw error;
  } finally {
    giveBack();
  }
}

interface Object {
  readonly at: DraftOptions['at'];
  readonly headers: ReturnType<typeof headersOf>;
}

function headersOf({ contentType, cacheControl, isGzipped }: FileHeaders) {
  return {
    ContentType: contentType,
    CacheControl: cacheControl,
    ...(isGzipped && { ContentEncoding: 'gzip' }),
  };
}

function wholeDraft(place: S3Place, { at, headers, bytes }: Object & { readonly bytes: Uint8Array }): Draft {
  return {
    async switch() {
      const input = { ...at, ...headers, Body: bytes, ContentLength: bytes.byteLength };
      await askS3(place, (options) => place.s3.putObject(input, options));
    },
    async drop() {},
  };
}

/** A multipart upload that starts with the first part. */
function multipart(place: S3Place, { at, headers }: Object) {
  const { s3 } = place;
  const sent: { PartNumber: number; ETag: string | undefined }[] = [];
  let uploadId: string | undefined;
  return {
    hasBegun: () => uploadId !== undefined,
    async send(chunks: readonly Uint8Array[]) {
      uploadId ??= (await askS3(place, (options) => s3.createMultipartUpload({ ...at, ...headers }, options)))
        ?.UploadId;
      const bytes = Buffer.concat(chunks);
      const PartNumber = sent.length + 1;
      const input = { ...at, UploadId: uploadId, PartNumber, Body: bytes, ContentLength: bytes.byteLength };
      const reply = await askS3(place, (options) => s3.uploadPart(input, options));
      sent.push({ PartNumber, ETag: reply?.ETag });
    },
    async switch() {
      const input = { ...at, UploadId: uploadId, MultipartUpload: { Parts: sent } };
      await askS3(place, (options) => s3.completeMultipartUpload(input, options));
    },
    async drop() {
      if (uploadId === undefined) return;
      const input = { ...at, UploadId: uploadId };
      await askS3(place, (options) => s3.abortMultipartUpload(input, options), ['NoSuchUpload']);
    },
  };
}
