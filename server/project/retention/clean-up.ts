import type { Cleanup } from '@platen/contract/cleanups';
import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { lockKeys } from '../../base/database/advisory-locks.ts';
import { sweep } from './sweep.ts';
import { sweepUploads } from '../../files/uploads/sweep.ts';
import { removeExpiredProjects } from './expired-projects.ts';
import { removeExpired } from './expired.ts';
import { removeGoneRunners } from './gone-runners.ts';
import { removeOldInspections } from './old-inspections.ts';
import { removeOldJobs } from './old-jobs.ts';
import type { CleanUpOptions } from '../../base/removal-count.ts';
import { deleteCleanups, insertCleanups, RemovalCounters } from './store.ts';

/** Records of clean-ups are kept for this time. */
const keptMs = 400 * 24 * 3_600_000;

interface Options extends Pick<CleanUpOptions, 'signal'> {
  /** Bytes without a row at the previous sweep (`sweep`). */
  readonly suspects: Set<string>;
}

type Step = (context: Context, options: Options & CleanUpOptions) => Promise<unknown>;

/** Ordered: steps that release bytes precede those that remove them. */
const steps: readonly Step[] = [
  sweepUploads,
  removeOldJobs,
  removeOldInspections,
  removeExpired,
  removeGoneRunners,
  removeExpiredProjects,
  sweep,
];

/**
 * Runs all clean-up steps and records what they removed. A failing step does not prevent the others.
 * @returns the removals; undefined if another clean-up is running
 * @throws the first error of a step, after all of them
 */
export async function cleanUp(context: Context, options: Options): Promise<Cleanup[] | undefined> {
  const cleanups: Cleanup[] = [];
  const errors: unknown[] = [];
  const isOurs = await onlyOne(context.db, async () => {
    for (const step of steps) {
      if (options.signal?.aborted) break;
      const counters = new RemovalCounters();
      try {
        await step(context, { ...options, report: (kind, removed) => counters.add(kind, removed) });
      } catch (error) {
        errors.push(error);
      } finally {
        const removed = await insertCleanups(context.db, counters, context.now());
        for (const { kind, projectId, count, bytes } of removed)
          context.log.info({ kind, projectId, count, bytes }, 'the clean-up removed data');
        cleanups.push(...removed);
      }
    }
    await deleteCleanups(context.db, new Date(context.now().getTime() - keptMs));
  });
  if (errors.length > 0) throw errors[0];
  return isOurs ? cleanups : undefined;
}

/** A lock of a connection, not of a transaction, which would keep dead rows for as long as the sweep takes. */
async function onlyOne(db: Db, work: () => Promise<void>): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{
      free: boolean;
    }>`select pg_try_advisory_lock(${lockKeys.cleanUp}) as free`.execute(connection);
    if (!rows[0]!.free) return false;
    try {
      await work();
    } finally {
      await sql`select pg_advisory_unlock(${lockKeys.cleanUp})`.execute(connection);
    }
    return true;
  });
}
