import type { Invocation } from '../command.ts';
import { exitCodes } from '../failures.ts';
import { findProject, findTask } from '../lists/find.ts';
import { openSession, type Session } from '../session.ts';
import { followJob, waitForJob } from './follow-job.ts';

export async function runTask(invocation: Invocation): Promise<number> {
  const session = await openSession(invocation);
  const { _id: projectId } = await findProject(session, invocation);
  const task = await findTask(session.api, projectId, invocation.args[0]!);
  return runAndFollow(session, invocation, { projectId, task });
}

interface TaskPath {
  readonly projectId: string;
  readonly task: { readonly _id: string; readonly name: string };
}

/** Runs a task now, and follows or awaits its job if asked to. @returns the exit code */
export async function runAndFollow(
  session: Session,
  invocation: Invocation,
  { projectId, task }: TaskPath,
): Promise<number> {
  const { terminal } = invocation;
  const params = { projectId, taskId: task._id };
  const { _id: jobId } = await session.api.postProjectTaskRun({ params });
  terminal.line(`Job ${jobId} of task “${task.name}” was created.`);
  return followIfAsked(session, invocation, { projectId, jobId });
}

/** As `--follow` and `--wait` say. @returns the exit code */
export async function followIfAsked(
  { api }: Session,
  { flag, terminal }: Invocation,
  path: { readonly projectId: string; readonly jobId: string },
): Promise<number> {
  if (flag('follow')) return followJob(api, path, terminal);
  if (flag('wait')) return waitForJob(api, path, terminal);
  terminal.json(await api.getProjectJob({ params: { ...path } }));
  return exitCodes.ok;
}
