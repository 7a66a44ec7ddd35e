import { sql } from 'kysely';
import { recordAudit } from '../../base/audit/record-audit.ts';
import { noSchedule } from '../visibility.ts';
import { findAppAnywhere } from '../store.ts';
import type { Context } from '../../base/context.ts';
import { inLiveProject } from '../../base/database/live-projects.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { hasCurrentPermission } from '../../identity/iam/current-permissions.ts';
import { runPeriodically } from '../../base/run-periodically.ts';
import { changeVisibility, type VisibilityChange } from './change-visibility.ts';
import { findReleaseHead } from './store.ts';

const checkIntervalMs = 250;

/** Makes scheduled apps public and private; the returned function stops it. Any number of replicas may run it. */
export function startReleaseScheduler(context: Context): () => Promise<void> {
  const { log } = context;
  const failure = 'cannot make scheduled apps public or private';
  return runPeriodically({ everyMs: checkIntervalMs, log, failure }, (signal) =>
    applyDueSchedules(context, signal),
  );
}

/**
 * Applies all due schedules once, including those missed while nothing ran. Locked apps are skipped until the next
 * run. Returns the number of apps.
 */
export async function applyDueSchedules(context: Context, signal?: AbortSignal): Promise<number> {
  if (!(await isAnyDue(context))) return 0;
  let count = 0;
  while (!signal?.aborted && (await applyNextSchedule(context))) count++;
  return count;
}

/** Without a transaction, which four times a second would cost an idle service more than the question. */
async function isAnyDue({ db, now }: Context): Promise<boolean> {
  const { rows } = await sql`select from app where ${isDue(now())} limit 1`.execute(db);
  return rows.length > 0;
}

const isDue = (now: Date) =>
  sql`(public_from <= ${now} or public_until <= ${now}) and ${inLiveProject('app.project_id')}`;

interface DueApp {
  readonly id: string;
  readonly project_id: string;
  readonly begins: boolean | null;
  readonly ends: boolean | null;
  readonly set_by: string | null;
  readonly public_release_id: string | null;
}

/** Applies the next due schedule in its own transaction. */
async function applyNextSchedule(context: Context): Promise<boolean> {
  const now = context.now();
  return inTransaction(context.db, async (tx) => {
    const { rows } = await sql<DueApp>`
      select id, project_id, public_from <= ${now} as begins, public_until <= ${now} as ends, public_set_by as set_by,
        public_release_id
      from app where ${isDue(now)}
      order by least(public_from, public_until) limit 1 for update skip locked`.execute(tx);
    const [due] = rows;
    if (!due) return false;
    if (due.begins) await begin(context, tx, due, now);
    // entries of the same time have no order, and this one must be the second
    const then = due.begins ? new Date(now.getTime() + 1) : now;
    if (due.ends) await end(context, tx, due, then);
    return true;
  });
}

async function begin({ log }: Context, tx: Db, due: DueApp, now: Date): Promise<void> {
  const app = (await findAppAnywhere(tx, due.id))!;
  const { public_release_id: wanted, set_by: setBy, project_id: projectId } = due;
  const problem = await problemOf(tx, due);
  const releaseId =
    problem === undefined && wanted !== null ? { releaseId: wanted === '' ? null : wanted } : {};
  const isPublic = problem === undefined ? { isPublic: true } : {};
  // the end needs no permission, so the user who set it is no longer needed
  const showing: VisibilityChange = { ...isPublic, ...releaseId, publicFrom: null, publicReleaseId: null };
  await changeVisibility(tx, app, showing, { now, by: setBy ?? app.updatedBy });
  const detail = { name: app.name, due: app.publicFrom, setBy, ...releaseId, ...(problem && { problem }) };
  const action = problem === undefined ? 'app.makePublic' : 'app.refusePublic';
  await recordAudit(tx, { now, caller: service, action, projectId, targetId: due.id, detail });
  log.info({ appId: due.id, due: app.publicFrom, problem }, 'a scheduled change of an app was due');
}

/** A schedule outlives the rights of its author, so they are checked when it is due. */
async function problemOf(tx: Db, { id, project_id: projectId, set_by: userId, ...due }: DueApp) {
  if (userId === null || !(await hasCurrentPermission(tx, { userId, projectId }, 'setAppPublic')))
    return 'The user who set the schedule may no longer make apps of this project public.';
  const { public_release_id: releaseId } = due;
  if (!releaseId) return undefined;
  const release = await findReleaseHead(tx, id, releaseId);
  return release ? undefined : 'The release no longer exists.';
}

async function end({ log }: Context, tx: Db, due: DueApp, now: Date): Promise<void> {
  const app = (await findAppAnywhere(tx, due.id))!;
  const { set_by: setBy, project_id: projectId } = due;
  await changeVisibility(tx, app, { isPublic: false, ...noSchedule }, { now, by: setBy ?? app.updatedBy });
  if (!app.isPublic) return; // it never became public, or has been made private already
  const detail = { name: app.name, due: app.publicUntil, setBy };
  await recordAudit(tx, {
    now,
    caller: service,
    action: 'app.makePrivate',
    projectId,
    targetId: due.id,
    detail,
  });
  log.info({ appId: due.id, due: app.publicUntil }, 'an app was made private as scheduled');
}

const service = { userId: '', address: '' };
