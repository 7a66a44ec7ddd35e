import type { FailureCode } from '@platen/contract/failure-codes';
import type { JobState, JobWarning } from '@platen/contract/jobs';
import { timedOut } from '@platen/contract/runner';
import type { Db } from '../../base/database/database.ts';
import type { JobRow } from '../store.ts';
import { dropOutputs } from './drop-outputs.ts';
import { endAborted } from './end-aborted.ts';
import { finish } from './finish.ts';
import { note } from './note.ts';

interface End {
  readonly code: FailureCode;
  readonly message: string;
  readonly warnings: readonly JobWarning[];
  readonly now: Date;
}

/** Ends a locked job without effects: as aborted where it was asked to stop, else as failed, or as timed out. */
export async function endWithout(
  tx: Db,
  { id: jobId, abort_requested: isAborted }: Pick<JobRow, 'id' | 'abort_requested'>,
  { code, message, warnings, now }: End,
): Promise<JobState> {
  await dropOutputs(tx, jobId);
  if (isAborted) {
    await endAborted(tx, { jobId, warnings, now });
    return 'aborted';
  }
  const state = code === timedOut ? 'timedOut' : 'failed';
  await note(tx, { jobId, level: 'error', message, now });
  await finish(tx, { jobId, state, warnings, errorCode: code, errorMessage: message, now });
  return state;
}
