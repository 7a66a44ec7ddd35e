import { TransientError } from '../transient-error.ts';
import { JobFailure } from '@platen/processing/job-type';

/**
 * The code of an error, if it looks like one. Messages of libraries and servers may repeat credentials, so they are
 * never shown.
 */
export function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  const text = typeof code === 'string' || typeof code === 'number' ? String(code) : String(name);
  return /^\w{1,60}$/.test(text) ? text : 'unknown';
}

/** A transient failure of the connection. */
export function unreachable(address: string, error: unknown): JobFailure {
  return new TransientError(
    'cannotReachDestination',
    `${address} cannot be reached, or the connection was lost (${codeOf(error)}).`,
  );
}

export function full(address: string): JobFailure {
  return new TransientError('destinationFull', `${address} has no space left.`);
}

export function refused(address: string, what: string, error: unknown): JobFailure {
  return new JobFailure('destinationRefused', `${address} refused ${what} (${codeOf(error)}).`);
}
