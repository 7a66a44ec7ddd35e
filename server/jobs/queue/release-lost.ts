import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import type { JobRow } from '../store.ts';
import { dropOutputs } from './drop-outputs.ts';
import { endAborted } from './end-aborted.ts';
import { finish } from './finish.ts';
import { leaseClock } from './lease-clock.ts';
import { lockLost } from './lock-lost.ts';
import { note } from './note.ts';
import { release } from './release.ts';

const maxLostLeases = 10;

/**
 * Requeues running jobs whose runner was not heard of in time, or all that one runner held. That is no failure of the
 * job, unless it happens too often: then the job itself may be what ends its runners.
 * @returns how many jobs it was
 */
export async function releaseLost(context: Context, runnerId?: string): Promise<number> {
  const { db, now, log } = context;
  const at = now();
  return inTransaction(db, async (tx) => {
    const lost = await lockLost(tx, { clock: leaseClock(context), runnerId });
    for (const job of lost) {
      await dropOutputs(tx, job.id);
      await settle(tx, job, at);
      log.warn(
        { jobId: job.id, attempt: job.attempt, runnerId: job.runner_id },
        'the runner of a job was lost',
      );
    }
    return lost.length;
  });
}

async function settle(tx: Db, job: JobRow, now: Date): Promise<void> {
  const { id: jobId, attempt } = job;
  if (job.abort_requested) return endAborted(tx, { jobId, warnings: job.warnings, now });
  if (job.lost_leases > maxLostLeases) {
    const errorMessage = `The runner was lost ${job.lost_leases} times while it ran this job.`;
    return finish(tx, {
      jobId,
      state: 'failed',
      warnings: job.warnings,
      errorCode: 'runnerLost',
      errorMessage,
      now,
    });
  }
  const message = `The runner of attempt ${attempt} was lost: the job waits for another.`;
  await note(tx, { jobId, level: 'warning', message, now });
  return release(tx, { jobId, attempt }, now);
}
