import { openJobsEndpoints } from '@platen/contract/open-jobs';
import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import { routes } from '../../http/routes.ts';

export const openJobsRoutes = routes(openJobsEndpoints, {
  postRunnerOpenJobs: (context, { body }) => findOpen(context, body.jobIds),
});

/** Those that wait or run, which another attempt may go on with. */
async function findOpen({ db }: Context, jobIds: readonly string[]): Promise<{ jobIds: string[] }> {
  const rows = await db
    .selectFrom('job')
    .select('id')
    .where(sql<boolean>`id = any(${[...jobIds]})`)
    .where('state', 'in', ['queued', 'running'])
    .execute();
  return { jobIds: rows.map(({ id }) => id) };
}
