import { RequestFailed } from '@platen/client/client';
import type { FailureCode } from '@platen/contract/failure-codes';
import { EgressError } from '@platen/egress/errors';
import { JobFailure } from '@platen/processing/job-type';
import { isRetryable } from './job-client.ts';

/** The network or another server failed, and not the job: a later attempt may succeed. */
export class TransientError extends JobFailure {}

interface FailureReport {
  readonly code: FailureCode;
  readonly message: string;
  /** True if the service should retry the job later. */
  readonly isTransient: boolean;
}

const diskFull: FailureReport = {
  code: 'scratchFull',
  message: 'The scratch disk of the runner is full.',
  isTransient: true,
};

/** The report of an error that ended an attempt. An unexpected error is the runner's fault, so the job is retried. */
export function failureReportOf(cause: unknown): FailureReport {
  const error = asJobFailure(cause);
  if (error instanceof JobFailure) {
    const { code, message } = error;
    return { code, message, isTransient: error instanceof TransientError || code === diskFull.code };
  }
  if (error instanceof RequestFailed)
    return { code: 'cannotTransfer', message: error.message, isTransient: isRetryable(error) };
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return diskFull;
  if (isRetryable(error))
    return { code: 'cannotTransfer', message: 'The service could not be reached.', isTransient: true };
  const message = 'An unexpected error on the runner, unrelated to the job.';
  return { code: 'runnerTrouble', message, isTransient: true };
}

/** Turns a refused or failed outgoing request into the failure of a job; leaves other errors as they are. */
export function asJobFailure(error: unknown): unknown {
  if (!(error instanceof EgressError)) return error;
  const { code, message, isTransient } = error;
  return isTransient ? new TransientError(code, message) : new JobFailure(code, message);
}
