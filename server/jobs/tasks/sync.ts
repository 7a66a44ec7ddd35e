import type { NewTask, Task, TaskWithJob } from '@platen/contract/tasks';
import type { Context } from '../../base/context.ts';
import { Failure, invalidAt } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { waitForEnd } from '../queue/end.ts';
import { createTask, getTask } from './operations.ts';

/** A task whose job is queued with it. */
export function createAtOnce(
  context: Context,
  caller: Caller,
  { projectId, body }: { readonly projectId: string; readonly body: NewTask },
): Promise<Task> {
  if (body.schedule && body.schedule.type !== 'immediate')
    throw invalidAt('/schedule/type', 'Only a task that runs at once can be waited for.');
  return createTask(context, caller, { projectId, body });
}

interface Waiting {
  readonly task: Task;
  readonly ms: number;
  /** Aborts when there is nobody left to answer. */
  readonly signal: AbortSignal;
}

/**
 * The task with its first job, when that has ended or the time is over.
 * @throws Failure `conflict` where the job was deleted meanwhile
 */
export async function waitForTask(context: Context, { task, ms, signal }: Waiting): Promise<TaskWithJob> {
  const { projectId, _id: taskId, lastJobId } = task;
  const lastJob = await waitForEnd(context, { projectId, jobId: lastJobId!, ms, signal });
  if (!lastJob) throw new Failure('conflict', 'The job was deleted before it was waited for to its end.');
  return { ...(await getTask(context, { projectId, taskId })), lastJob };
}
