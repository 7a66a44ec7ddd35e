import { S3, type S3ClientConfig } from '@aws-sdk/client-s3';
import { ask, insist } from './s3-failure.ts';
import type { ObjectHead } from './object-store.ts';
import type { S3Setting } from './s3-setting.ts';

// So long may a server say nothing, three times over: one that hangs is a failure after 15 seconds, not minutes.
const SILENCE_MS = 5_000;
const ATTEMPTS = 3;
// Putting parts together and copying take the server a while in which some say nothing.
const PATIENT_SILENCE_MS = 30_000;
const CONNECT_MS = 3_000;
// Each download that waits for a slow client holds one, and must not hold up those who read a tile.
const MAX_SOCKETS = 1024;

/** The bucket, with what all parts of the backend ask of it. */
export interface Bucket {
  readonly name: string;
  readonly s3: S3;
  /** For calls that the server may take long for; each is tried once. */
  readonly patient: S3;
  /** The key of an object, a draft, or what a stalled upload has parked. */
  key(kind: 'objects' | 'drafts' | 'parked', id: string): string;
  head(key: string): Promise<S3Head | undefined>;
  remove(key: string): Promise<void>;
  /** With the server's own hands, up to 5 GiB. `undefined` when there is nothing to copy. */
  copy(from: string, to: string): Promise<Date | undefined>;
  /** Every object whose key starts with it, with the rest of its key as the id. */
  list(kind: 'objects' | 'drafts' | 'parked', start: string): AsyncIterable<ObjectHead & { id: string }>;
}

export interface S3Head extends ObjectHead {
  readonly etag: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export function openBucket({ bucket: name, prefix, endpoint, region }: S3Setting): Bucket {
  const config: S3ClientConfig = {
    ...(endpoint !== undefined && {
      endpoint,
      forcePathStyle: true,
      // Newer checksums than MD5 are understood by AWS, and by few others.
      ...(!isAws(endpoint) && {
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
      }),
    }),
    ...((region ?? endpoint) !== undefined && { region: region ?? 'us-east-1' }),
    expectContinueHeader: false, // with it the SDK makes a connection for each part
    followRegionRedirects: false,
  };
  const s3 = new S3({ ...config, maxAttempts: ATTEMPTS, requestHandler: connections(SILENCE_MS) });
  const patient = new S3({ ...config, maxAttempts: 1, requestHandler: connections(PATIENT_SILENCE_MS) });
  const at = { Bucket: name };

  const bucket: Bucket = {
    name,
    s3,
    patient,
    key: (kind, id) => `${prefix}${kind}/${id}`,

    async head(key) {
      const head = await ask((options) => s3.headObject({ ...at, Key: key }, options), {
        absent: ['NotFound', 'NoSuchKey'],
      });
      if (!head) {
        // An answer to HEAD has no body, so a bucket that is gone looks like objects that are.
        await insist((options) => s3.headBucket(at, options));
        return undefined;
      }
      return {
        size: head.ContentLength ?? 0,
        modifiedAt: head.LastModified ?? new Date(0),
        etag: head.ETag ?? '',
        metadata: head.Metadata ?? {},
      };
    },

    async remove(key) {
      await ask((options) => s3.deleteObject({ ...at, Key: key }, options), { absent: ['NoSuchKey'] });
    },

    async copy(from, to) {
      const input = { ...at, Key: to, CopySource: `${name}/${from}`, MetadataDirective: 'REPLACE' as const };
      const reply = await ask((options) => patient.copyObject(input, options), { absent: ['NoSuchKey'] });
      return reply && (reply.CopyObjectResult?.LastModified ?? new Date(0));
    },

    async *list(kind, start) {
      const folder = bucket.key(kind, '');
      for (let token: string | undefined, more = true; more;) {
        const page = await insist((options) =>
          s3.listObjectsV2({ ...at, Prefix: folder + start, ContinuationToken: token }, options),
        );
        for (const { Key: key, Size: size, LastModified: modifiedAt } of page.Contents ?? []) {
          if (key)
            yield { id: key.slice(folder.length), size: size ?? 0, modifiedAt: modifiedAt ?? new Date(0) };
        }
        token = page.NextContinuationToken;
        more = page.IsTruncated === true && token !== undefined;
      }
    },
  };
  return bucket;
}

function connections(socketTimeout: number): NonNullable<S3ClientConfig['requestHandler']> {
  const agent = { keepAlive: true, maxSockets: MAX_SOCKETS };
  return { connectionTimeout: CONNECT_MS, socketTimeout, httpAgent: agent, httpsAgent: agent };
}

function isAws(endpoint: string): boolean {
  return /\.amazonaws\.com(\.cn)?$/.test(new URL(endpoint).hostname);
}
