import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import type { Caller } from '../../base/caller.ts';
import { abortJob } from '../../jobs/operations.ts';
import { noPublication, requireRow, requireSight, type PublishPath } from './operations.ts';
import { findUnfinishedJobs } from './store.ts';

/** Cancels the queued and running jobs that publish a resource. @throws Failure `not_found` if the task is none of it */
export async function abortPublications(
  context: Context,
  caller: Caller,
  { taskId, ...path }: PublishPath & { readonly taskId: string | undefined },
): Promise<void> {
  const { projectId } = path;
  await inTransaction(context.db, async (tx) => {
    const inside = { ...context, db: tx };
    const row = await requireRow(tx, path);
    requireSight(caller, path, row);
    if (taskId !== undefined && !row.taskIds.includes(taskId)) throw noPublication();
    const taskIds = taskId === undefined ? row.taskIds : [taskId];
    for (const jobId of await findUnfinishedJobs(tx, taskIds))
      await abortJob(inside, caller, { projectId, jobId });
  });
}
