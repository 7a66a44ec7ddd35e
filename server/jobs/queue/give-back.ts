import type { Db } from '../../base/database/database.ts';
import { dropOutputs } from './drop-outputs.ts';
import { endAborted } from './end-aborted.ts';
import type { Fence } from './fence.ts';
import { lockHeld } from './lock-held.ts';
import { note } from './note.ts';
import { release } from './release.ts';

interface Giving {
  /** Why, for the log of the job. */
  readonly message?: string;
  readonly now: Date;
}

/**
 * Puts a held job back into the queue, which does not count as lost; one that was asked to stop meanwhile ends instead, as
 * nobody could ask for that again. @returns what it is by then; undefined when it is no longer held
 */
export async function giveBack(
  tx: Db,
  fence: Fence,
  { message, now }: Giving,
): Promise<'queued' | 'aborted' | undefined> {
  const job = await lockHeld(tx, fence);
  if (!job) return undefined;
  const { jobId } = fence;
  await dropOutputs(tx, jobId);
  if (job.abort_requested) {
    await endAborted(tx, { jobId, warnings: job.warnings, now });
    return 'aborted';
  }
  if (message !== undefined) await note(tx, { jobId, level: 'info', message, now });
  await release(tx, fence, now);
  return 'queued';
}
