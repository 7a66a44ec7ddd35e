import type { Invocation } from '../command.ts';
import { CommandFailure } from '../failures.ts';
import { followIfAsked, runAndFollow } from '../jobs/run-task.ts';
import { findApp, findCredential, findProject } from '../lists/find.ts';
import { UsageError } from '../read-command-line.ts';
import { openSession, type Session } from '../session.ts';

interface AppPath {
  readonly projectId: string;
  readonly appId: string;
}

/** Runs a publishing task of the app again, or publishes to a destination with a task for it. */
export async function publish(invocation: Invocation): Promise<number> {
  const { option } = invocation;
  const credential = option('credential');
  if (credential === undefined && option('folder') !== undefined)
    throw new UsageError('--folder needs --credential <destination>.');
  const session = await openSession(invocation);
  const { _id: projectId } = await findProject(session, invocation);
  const { _id: appId } = await findApp(session.api, projectId, invocation.args[0]!);
  const path = { projectId, appId };
  if (credential !== undefined) return publishTo(session, invocation, path, credential);
  const task = await publishingTask(session, path, option('task'));
  return runAndFollow(session, invocation, { projectId, task });
}

async function publishTo(
  session: Session,
  invocation: Invocation,
  path: AppPath,
  credential: string,
): Promise<number> {
  const { projectId } = path;
  const { _id: credentialsId } = await findCredential(session.api, projectId, credential);
  const destination = invocation.option('folder');
  const body = { credentialsId, ...(destination !== undefined && { destination }) };
  const task = await session.api.putProjectAppPublish({ params: { ...path }, body });
  invocation.terminal.line(`Job ${task.lastJobId} of task “${task.name}” was created.`);
  return followIfAsked(session, invocation, { projectId, jobId: task.lastJobId! });
}

async function publishingTask({ api }: Session, path: AppPath, chosen: string | undefined) {
  const { items } = await api.getProjectAppPublish({ params: { ...path } });
  const matches = items.filter(({ _id, name }) => chosen === undefined || [_id, name].includes(chosen));
  const [task, ...others] = matches;
  const known = items.map(({ _id, name }) => `${_id} “${name}”`).join(', ');
  if (items.length === 0)
    throw new CommandFailure(
      'notFound',
      'The app has no publishing task. Publish it to a destination: --credential <destination>.',
    );
  if (!task)
    throw new CommandFailure('notFound', `The app has no publishing task “${chosen}”, but ${known}.`);
  if (others.length > 0)
    throw new CommandFailure(
      'failed',
      `Several publishing tasks match. Choose one by --task <ID>: ${known}.`,
    );
  return task;
}
