import { S3, type S3ClientConfig } from '@aws-sdk/client-s3';
import { callS3, requireSuccess } from './s3-failure.ts';
import type { ObjectHead } from './stored-object.ts';
import type { S3Credentials, S3Setting } from './s3-setting.ts';

// Request timeout; with three attempts a hanging server is a failure after 15 seconds.
const TIMEOUT_MS = 5_000;
const ATTEMPTS = 3;
// Completing uploads and copying take the server a while, during which some are silent.
const SLOW_TIMEOUT_MS = 30_000;
const CONNECT_MS = 3_000;
// Each download for a slow client holds a socket and must not block tile reads.
const MAX_SOCKETS = 1024;

/** The bucket, with the operations that all parts of the backend share. */
export interface Bucket {
  readonly name: string;
  readonly s3: S3;
  /** Client for slow calls, which are tried once. */
  readonly slowCalls: S3;
  /** The key of an object, a draft, or the parked bytes of a stalled upload. */
  key(kind: 'objects' | 'drafts' | 'parked', id: string): string;
  head(key: string): Promise<S3Head | undefined>;
  remove(key: string): Promise<void>;
  /** Server-side copy, up to 5 GiB; undefined if the source does not exist. */
  copy(from: string, to: string): Promise<Date | undefined>;
  /** Lists objects by key prefix, with the rest of the key as the id. */
  list(kind: 'objects' | 'drafts' | 'parked', start: string): AsyncIterable<ObjectHead & { id: string }>;
}

export interface S3Head extends ObjectHead {
  readonly etag: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export function openBucket(
  { bucket: name, prefix, endpoint, region }: S3Setting,
  credentials?: S3Credentials,
): Bucket {
  const config: S3ClientConfig = {
    ...(credentials && { credentials }),
    ...(endpoint !== undefined && {
      endpoint,
      forcePathStyle: true,
      // AWS supports newer checksums than MD5; few others do.
      ...(!isAws(endpoint) && {
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
      }),
    }),
    ...((region ?? endpoint) !== undefined && { region: region ?? 'us-east-1' }),
    expectContinueHeader: false, // otherwise the SDK opens a connection for each part
    followRegionRedirects: false,
  };
  const s3 = new S3({ ...config, maxAttempts: ATTEMPTS, requestHandler: connections(TIMEOUT_MS) });
  const slowCalls = new S3({ ...config, maxAttempts: 1, requestHandler: connections(SLOW_TIMEOUT_MS) });
  const at = { Bucket: name };

  const bucket: Bucket = {
    name,
    s3,
    slowCalls,
    key: (kind, id) => `${prefix}${kind}/${id}`,

    async head(key) {
      const head = await callS3((options) => s3.headObject({ ...at, Key: key }, options), {
        absent: ['NotFound', 'NoSuchKey'],
      });
      if (!head) {
        // A response to HEAD has no body, so a missing bucket looks like missing objects.
        await requireSuccess((options) => s3.headBucket(at, options));
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
      await callS3((options) => s3.deleteObject({ ...at, Key: key }, options), { absent: ['NoSuchKey'] });
    },

    async copy(from, to) {
      const input = { ...at, Key: to, CopySource: `${name}/${from}`, MetadataDirective: 'REPLACE' as const };
      const reply = await callS3((options) => slowCalls.copyObject(input, options), {
        absent: ['NoSuchKey'],
      });
      return reply && (reply.CopyObjectResult?.LastModified ?? new Date(0));
    },

    async *list(kind, start) {
      const folder = bucket.key(kind, '');
      for (let token: string | undefined, more = true; more;) {
        const page = await requireSuccess((options) =>
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
