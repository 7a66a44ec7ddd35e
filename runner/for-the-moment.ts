import { RequestFailed } from '@platen/client/client';
import type { FailureCode } from '@platen/contract/failure-codes';
import { isPassing } from './job-client.ts';
import { JobFailed } from './job-failed.ts';

/** Failed by what lies between here and there: another attempt may do better. */
export class FailedForTheMoment extends JobFailed {}

interface Trouble {
  readonly code: FailureCode;
  readonly message: string;
  /** Nothing is wrong with the job: it can be tried again later. */
  readonly isTransient: boolean;
}

const diskIsFull: Trouble = {
  code: 'scratchFull',
  message: 'The scratch disk of the runner is full.',
  isTransient: true,
};

/** What to tell of an attempt that was not stopped. What nobody has foreseen is the runner's fault, not the job's. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof JobFailed) {
    const { code, message } = error;
    const isTransient = error instanceof FailedForTheMoment || code === diskIsFull.code;
    return { code, message, isTransient };
  }
  if (error instanceof RequestFailed)
    return { code: 'cannotTransfer', message: error.message, isTransient: isPassing(error) };
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return diskIsFull;
  if (isPassing(error))
    return { code: 'cannotTransfer', message: 'The service could not be reached.', isTransient: true };
  const message = 'Something went wrong on the runner that has nothing to do with the job.';
  return { code: 'runnerTrouble', message, isTransient: true };
}
