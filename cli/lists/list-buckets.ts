import type { Invocation } from '../command.ts';
import { openSession } from '../session.ts';
import { allPages } from './all-pages.ts';
import { findProject } from './find.ts';
import { nameQuery } from './name-query.ts';
import { printList } from './print-list.ts';

export async function listBuckets(invocation: Invocation): Promise<number> {
  const session = await openSession(invocation);
  const { _id: projectId } = await findProject(session, invocation);
  const items = await allPages((paging) =>
    session.api.getProjectDataBuckets({
      params: { projectId },
      query: { ...paging, ...nameQuery(invocation) },
    }),
  );
  return printList(invocation.terminal, items, ({ _id, name }) => [_id, name]);
}
