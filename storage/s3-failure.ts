import { StorageFailure } from './object-store.ts';

// AWS has no quota; Ceph answers 403, MinIO 507 or 400.
const FULL = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'InsufficientCapacity',
]);

/** What an S3 server answered: 404 and NoSuchKey, say. Without a status there was no answer. */
export interface S3Answer {
  readonly status: number | undefined;
  readonly code: string;
}

export function answerOf(error: unknown): S3Answer {
  const { cause } = error instanceof StorageFailure ? error : { cause: error };
  const { name = 'unknown error', $metadata } = (cause ?? {}) as {
    name?: string;
    $metadata?: { httpStatusCode?: number };
  };
  return { status: $metadata?.httpStatusCode, code: name };
}

/** What an error of the SDK means to a caller of the store. */
export function asStorageFailure(error: unknown): StorageFailure {
  if (error instanceof StorageFailure) return error;
  const { status, code } = answerOf(error);
  if (FULL.has(code) || status === 507) {
    return new StorageFailure('full', 'the storage is full', { cause: error });
  }
  const message = `the storage cannot be used (${[code, status].filter(Boolean).join(' ')})`;
  return new StorageFailure('unavailable', message, { cause: error });
}

/**
 * Runs a call of the SDK. What it throws is a StorageFailure, or the reason of the signal that ended it. Where one of
 * these codes is the server's answer, that is no error, and the result is undefined.
 */
export async function ask<T>(
  call: (options: { abortSignal?: AbortSignal }) => Promise<T>,
  { signal, absent = [] }: { signal?: AbortSignal | undefined; absent?: readonly string[] } = {},
): Promise<T | undefined> {
  signal?.throwIfAborted();
  try {
    return await call(signal ? { abortSignal: signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    if (absent.includes(answerOf(error).code)) return undefined;
    throw asStorageFailure(error);
  }
}

/** For calls whose every answer other than success is an error. */
export async function insist<T>(
  call: (options: { abortSignal?: AbortSignal }) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return (await ask(call, { signal }))!;
}
