import type { ListMultipartUploadsCommandInput } from '@aws-sdk/client-s3';
import type { Bucket } from './s3-bucket.ts';
import { callS3, requireSuccess } from './s3-failure.ts';
import { multipart } from './s3-multipart.ts';

// No upload is silent for an hour, and parked bytes are resumed long before a day is over.
const UPLOAD_AGE_MS = 60 * 60 * 1000;
const PARKED_AGE_MS = 24 * 60 * 60 * 1000;

/**
 * Aborts uploads of dead writers, whose invisible parts would be billed. Skips those of drafts, which may rest for
 * days, and those of living processes: `live` names our own, and the others grow.
 */
export async function removeLeftovers(bucket: Bucket, live: ReadonlySet<string>, now: Date): Promise<void> {
  const limit = now.getTime() - UPLOAD_AGE_MS;
  for await (const { id, uploadId, begun } of uploadsOf(bucket)) {
    if (begun.getTime() > limit || live.has(uploadId)) continue;
    const record = await bucket.head(bucket.key('drafts', id));
    if (record?.metadata['upload'] === uploadId) continue;
    const key = bucket.key('objects', id);
    if (await hasGrownSince(bucket, { key, uploadId }, limit)) continue;
    await multipart(bucket, key, uploadId).abort();
  }
  for await (const { id, modifiedAt } of bucket.list('parked', '')) {
    if (modifiedAt.getTime() < now.getTime() - PARKED_AGE_MS) await bucket.remove(bucket.key('parked', id));
  }
}

interface OpenUpload {
  readonly id: string;
  readonly uploadId: string;
  readonly begun: Date;
}

async function* uploadsOf(bucket: Bucket): AsyncIterable<OpenUpload> {
  const folder = bucket.key('objects', '');
  let [KeyMarker, UploadIdMarker]: (string | undefined)[] = [];
  do {
    const input: ListMultipartUploadsCommandInput = {
      Bucket: bucket.name,
      Prefix: folder,
      KeyMarker,
      UploadIdMarker,
    };
    const page = await requireSuccess((options) => bucket.s3.listMultipartUploads(input, options));
    for (const { Key, UploadId: uploadId, Initiated: begun } of page.Uploads ?? []) {
      if (Key && uploadId && begun) yield { id: Key.slice(folder.length), uploadId, begun };
    }
    KeyMarker = page.IsTruncated ? page.NextKeyMarker : undefined;
    UploadIdMarker = page.NextUploadIdMarker;
  } while (KeyMarker);
}

async function hasGrownSince(
  { name, s3 }: Bucket,
  { key, uploadId }: { key: string; uploadId: string },
  limit: number,
): Promise<boolean> {
  for (let marker: string | undefined, more = true; more;) {
    const input = { Bucket: name, Key: key, UploadId: uploadId, PartNumberMarker: marker };
    const page = await callS3((options) => s3.listParts(input, options), { absent: ['NoSuchUpload'] });
    if (page?.Parts?.some(({ LastModified }) => LastModified && LastModified.getTime() > limit)) return true;
    marker = page?.NextPartNumberMarker;
    more = page?.IsTruncated === true && marker !== undefined;
  }
  return false;
}
