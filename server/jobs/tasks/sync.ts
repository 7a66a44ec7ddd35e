import type { NewTask, Task, TaskWithJob } from '@platen/contract/tasks';
import type { Context } from '../../base/context.ts';
import { Failure, invalidAt } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { waitForEnd } from '../queue/end.ts';
import { createTask, getTask } from './operations.ts';

/** Creates a task whose job is queued at once. */
export function createAtOnce(
  context: Context,
  caller: Caller,
  { projectId, body }: { readonly projectId: string; readonly body: NewTask },
): Promise<Task> {
  if (body.schedule && body.schedule.type !== 'immediate')
    throw invalidAt('/schedule/type', 'Only an immediate task can be waited for.');
  return createTask(context, caller, { projectId, body });
}

interface TaskWait {
  readonly task: Task;
  readonly ms: number;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Waits for the first job of the task and returns both, ended or not, when the time is over.
 * @throws Failure `conflict` if the job was deleted meanwhile
 */
export async function waitForTask(context: Context, { task, ms, signal }: TaskWait): Promise<TaskWithJob> {
  const { projectId, _id: taskId, lastJobId } = task;
  const lastJob = await waitForEnd(context, { projectId, jobId: lastJobId!, ms, signal });
  if (!lastJob) throw new Failure('conflict', 'The job was deleted while the request waited for it.');
  const { status, state, outputs, errorMessage } = lastJob;
  return {
    ...(await getTask(context, { projectId, taskId })),
    lastJob,
    status,
    ...(state === 'succeeded' && { output: outputs }),
    ...(errorMessage !== undefined && { error: errorMessage }),
  };
}
