import { StorageFailure } from './object-store.ts';

// AWS has no quota; Ceph answers 403, MinIO 507 or 400.
const QUOTA_CODES = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'InsufficientCapacity',
]);

/** An S3 server's response, such as 404 and NoSuchKey. Without a status there was none. */
export interface S3Response {
  readonly status: number | undefined;
  readonly code: string;
}

export function responseOf(error: unknown): S3Response {
  const { cause } = error instanceof StorageFailure ? error : { cause: error };
  const { name = 'unknown error', $metadata } = (cause ?? {}) as {
    name?: string;
    $metadata?: { httpStatusCode?: number };
  };
  return { status: $metadata?.httpStatusCode, code: name };
}

/** Maps an error of the SDK to a StorageFailure. */
export function asStorageFailure(error: unknown): StorageFailure {
  if (error instanceof StorageFailure) return error;
  const { status, code } = responseOf(error);
  if (QUOTA_CODES.has(code) || status === 507) {
    return new StorageFailure('full', 'the storage is full', { cause: error });
  }
  const message = `the storage cannot be used (${[code, status].filter(Boolean).join(' ')})`;
  return new StorageFailure('unavailable', message, { cause: error });
}

/**
 * Runs a call of the SDK. Throws a StorageFailure, or the reason of the signal that aborted it. Returns undefined if
 * the server responds with one of the `absent` codes.
 */
export async function callS3<T>(
  call: (options: { abortSignal?: AbortSignal }) => Promise<T>,
  { signal, absent = [] }: { signal?: AbortSignal | undefined; absent?: readonly string[] } = {},
): Promise<T | undefined> {
  signal?.throwIfAborted();
  try {
    return await call(signal ? { abortSignal: signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    if (absent.includes(responseOf(error).code)) return undefined;
    throw asStorageFailure(error);
  }
}

/** For calls in which every response other than success is an error. */
export async function requireSuccess<T>(
  call: (options: { abortSignal?: AbortSignal }) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return (await callS3(call, { signal }))!;
}
