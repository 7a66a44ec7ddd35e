import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import { inLiveProject } from '../../base/database/live-projects.ts';
import { runPeriodically } from '../../base/run-periodically.ts';
import { findDatasource } from '../store.ts';
import { look } from './look-at-address.ts';

/** Addresses of one turn: the others have their turn a minute later, and people's own probes have theirs at once. */
const maxAtOnce = 4;
/** Longer than any probe takes. */
const claimMs = 5 * 60_000;

/** Asks the addresses of datasources that are still to be asked, every minute. @returns a function that stops it */
export function startAskingAddresses(context: Context): () => Promise<void> {
  const { settings, log } = context;
  if (!settings.inspectUploads) return async () => {};
  const failure = 'the addresses of datasources were not asked';
  return runPeriodically({ everyMs: 60_000, log, failure }, () => askAddresses(context));
}

/**
 * Asks addresses that could not be asked when they were registered: too many others were, they did not answer, or the
 * service ended.
 */
export async function askAddresses(context: Context): Promise<void> {
  const { db, now } = context;
  const until = new Date(now().getTime() + claimMs);
  const { rows } = await sql<{ id: string; project_id: string }>`
    update datasource set ask_at = ${until} where id in (
      select d.id from datasource d where d.ask_at <= ${now()} and ${inLiveProject('d.project_id')}
      order by d.ask_at limit ${maxAtOnce} for update skip locked)
    returning id, project_id`.execute(db);
  for (const { id, project_id: projectId } of rows) {
    const datasource = await findDatasource(db, projectId, id);
    if (datasource) await look(context, datasource);
  }
}
