import type { Invocation } from '../command.ts';
import { findProject } from '../lists/find.ts';
import { openSession } from '../session.ts';
import { followJob } from './follow-job.ts';

export async function follow(invocation: Invocation): Promise<number> {
  const session = await openSession(invocation);
  const { _id: projectId } = await findProject(session, invocation);
  return followJob(session.api, { projectId, jobId: invocation.args[0]! }, invocation.terminal);
}
