import type { AdminJob, AdminJobListQuery, AdminTask, AdminTaskListQuery } from '@platen/contract/admin';
import type { Page } from '@platen/contract/schema';
import type { Context } from '../../base/context.ts';
import type { Caller } from '../../base/caller.ts';
import { withLastJobs } from '../../jobs/tasks/operations.ts';
import { findTasks } from '../../jobs/tasks/store.ts';
import { findAllJobs, findProjectNames, projectsOf } from './store.ts';

export function listAllJobs({ db }: Context, query: AdminJobListQuery): Promise<Page<AdminJob>> {
  return findAllJobs(db, query);
}

/** Administrators may read the jobs of any project, so nothing is omitted. */
export async function listAllTasks(
  { db }: Context,
  caller: Caller,
  query: AdminTaskListQuery,
): Promise<Page<AdminTask>> {
  const page = await findTasks(db, await projectsOf(db, query), query);
  const tasks = await withLastJobs(db, caller, page.items);
  const names = await findProjectNames(
    db,
    tasks.map(({ projectId }) => projectId),
  );
  // a project that has gone since the page was read took its tasks with it
  const items = tasks.map((task) => Object.assign(task, { projectName: names.get(task.projectId) ?? '' }));
  return { ...page, items };
}
