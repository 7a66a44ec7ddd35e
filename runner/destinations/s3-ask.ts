import type { S3 } from '@aws-sdk/client-s3';
import { JobFailure } from '@platen/processing/job-type';
import { codeOf, full, refused, unreachable } from './failures.ts';

export interface S3Place {
  readonly s3: S3;
  readonly bucket: string;
  /** Empty, or ends with /. */
  readonly prefix: string;
  readonly address: string;
  readonly signal: AbortSignal;
}

/** AWS has no quota; Ceph answers 403, MinIO 507 or 400. */
const bucketFullCodes = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'InsufficientCapacity',
]);

/**
 * Sends a request.
 * @returns undefined if the server answers with one of the `absent` codes
 * @throws JobFailure
 */
export async function askS3<T>(
  { address, signal }: S3Place,
  call: (options: { abortSignal: AbortSignal }) => Promise<T>,
  absent: readonly string[] = [],
): Promise<T | undefined> {
  signal.throwIfAborted();
  try {
    return await call({ abortSignal: signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof JobFailure) throw error;
    const { name = '', $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
    const status = $metadata?.httpStatusCode;
    if (absent.includes(name)) return undefined;
    if (bucketFullCodes.has(name) || status === 507) throw full(address);
    const mayPass = status === undefined || status >= 500 || status === 429 || status === 408;
    const code = codeOf({ code: status === undefined ? codeOf(error) : name || status });
    throw mayPass ? unreachable(address, { code }) : refused(address, 'to read or write data', { code });
  }
}
