import { StorageFailure } from './object-store.ts';

/** Maps an error of node:fs to a StorageFailure. */
export function asStorageFailure(error: unknown): StorageFailure {
  if (error instanceof StorageFailure) return error;
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new StorageFailure('full', 'the storage is full', { cause: error });
  }
  const message = `the storage cannot be used (${code ?? 'unknown error'})`;
  return new StorageFailure('unavailable', message, { cause: error });
}

/** For `.catch()` of a call to node:fs. */
export function fail(error: unknown): never {
  throw asStorageFailure(error);
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
