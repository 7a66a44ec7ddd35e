import type { Invocation } from '../command.ts';
import { stateText } from '../jobs/state-text.ts';
import { openSession } from '../session.ts';
import { allPages } from './all-pages.ts';
import { findProject } from './find.ts';
import { nameQuery } from './name-query.ts';
import { printList } from './print-list.ts';

export async function listTasks(invocation: Invocation): Promise<number> {
  const session = await openSession(invocation);
  const { _id: projectId } = await findProject(session, invocation);
  const items = await allPages((paging) =>
    session.api.getProjectTasks({ params: { projectId }, query: { ...paging, ...nameQuery(invocation) } }),
  );
  return printList(invocation.terminal, items, ({ _id, lastJob, jobType, name }) => [
    _id,
    lastJob ? stateText[lastJob.state] : '-',
    jobType,
    name,
  ]);
}
