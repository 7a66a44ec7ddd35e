import type { Invocation } from '../command.ts';
import { openSession } from '../session.ts';
import { allPages } from './all-pages.ts';
import { nameQuery } from './name-query.ts';
import { printList } from './print-list.ts';

export async function listProjects(invocation: Invocation): Promise<number> {
  const { api } = await openSession(invocation);
  const items = await allPages((paging) =>
    api.getProjects({ query: { ...paging, ...nameQuery(invocation) } }),
  );
  return printList(invocation.terminal, items, ({ _id, name }) => [_id, name]);
}
