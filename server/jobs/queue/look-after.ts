import type { Context } from '../../base/context.ts';
import { longestPauseMs } from './end-held.ts';
import { endOverdue } from './end-overdue.ts';
import { mendClocks } from './mend-clocks.ts';
import { wakeDue } from './put-off.ts';
import { releaseForgotten } from './release-held.ts';
import { releaseLost } from './release-lost.ts';

/** A pause may be a little longer than it says, so that not all end at once. */
const longestMs = longestPauseMs * 1.5;

/**
 * What nobody else does for a job: it goes on when its runner is lost, is tried again when its pause is over, and ends when
 * it takes too long. Any number of replicas may look. Jobs that another transaction holds, as while one completes, are passed
 * over.
 */
export async function lookAfterQueue(context: Context): Promise<void> {
  await mendClocks(context);
  await releaseLost(context); // before those that take too long: after a jump of the clock they seem to be both
  await endOverdue(context);
  await wakeDue(context.db, { now: context.now(), longestMs });
  await releaseForgotten(context.db);
}
