import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import type { RemovalCount } from '../../base/removal-count.ts';
import { quotaExceeded } from './refusal.ts';
import { findHeld, leftOf, lockLimits, type Amount } from './store.ts';

/** Where something is set aside. */
export interface Account {
  readonly id: string;
  readonly projectId: string;
  readonly bucketId?: string;
  /** It goes with the upload or the job; without either, when it is not renewed. */
  readonly uploadId?: string;
  readonly jobId?: string;
}

const leaseMs = 15 * 60_000;
const forEver = new Date('9999-12-31T00:00:00Z');

interface Wish {
  /** Less is no use. */
  readonly need: Amount;
  /** At least as much; as far as the quota allows. */
  readonly want: Amount;
  /** What the account has already: only for the words. */
  readonly have?: Amount;
}

/**
 * Sets more aside, and tells how much it was. Whoever asks at the same time waits, so that nothing is promised twice.
 * @throws Failure `storage_full`
 */
export async function reserve(context: Context, account: Account, wish: Wish): Promise<Amount> {
  return inTransaction(context.db, async (tx) => {
    const granted = await grant(context, tx, account.projectId, wish);
    const isLasting = account.uploadId !== undefined || account.jobId !== undefined;
    await addTo(tx, account, granted, isLasting ? forEver : renewedAt(context));
    return granted;
  });
}

async function addTo(tx: Db, account: Account, { bytes, objects }: Amount, expires: Date): Promise<void> {
  const { id, projectId, bucketId = null, uploadId = null, jobId = null } = account;
  const place = { id, project_id: projectId, bucket_id: bucketId, upload_id: uploadId, job_id: jobId };
  await tx
    .insertInto('reservation')
    .values({ ...place, bytes, objects, expires_at: expires })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        bytes: eb('reservation.bytes', '+', bytes),
        objects: eb('reservation.objects', '+', objects),
      })),
    )
    .execute();
}

/**
 * For what comes into being in one transaction and not by an upload, as a copy does.
 * @throws Failure `storage_full`
 */
export async function requireRoom(context: Context, tx: Db, projectId: string, need: Amount): Promise<void> {
  await grant(context, tx, projectId, { need, want: need });
}

async function grant({ settings }: Context, tx: Db, projectId: string, wish: Wish): Promise<Amount> {
  const { need, want } = wish;
  const limits = await lockLimits(tx, projectId, settings);
  if (!limits || (limits.bytes === undefined && limits.objects === undefined)) return want;
  const { held } = await findHeld(tx, projectId);
  const { bytes = Infinity, objects = Infinity } = leftOf(limits, held);
  if (need.bytes > bytes || need.objects > objects) throw quotaExceeded(limits, held, wish);
  return { bytes: Math.min(want.bytes, bytes), objects: Math.min(want.objects, objects) };
}

/** A job's outputs count until it ends; then they are files, or gone. */
export async function holdForJob(
  tx: Db,
  { projectId, jobId }: { projectId: string; jobId: string },
  bytes: number,
): Promise<void> {
  await addTo(tx, { id: jobId, projectId, jobId }, { bytes, objects: 1 }, forEver);
}

/** One of a job's outputs was replaced. It may have come while there was no quota, when nothing was set aside. */
export async function releaseOfJob(tx: Db, jobId: string, bytes: number): Promise<void> {
  await sql`update reservation set bytes = greatest(0, bytes - ${bytes}), objects = greatest(0, objects - 1)
    where id = ${jobId}`.execute(tx);
}

/** So much is no longer set aside: it has come, or it will not. */
export async function spend(db: Db, id: string, { bytes, objects }: Amount): Promise<void> {
  await db
    .updateTable('reservation')
    .set((eb) => ({ bytes: eb('bytes', '-', bytes), objects: eb('objects', '-', objects) }))
    .where('id', '=', id)
    .execute();
}

export async function endReservation(db: Db, id: string): Promise<void> {
  await db.deleteFrom('reservation').where('id', '=', id).execute();
}

/** For requests that take longer than a lease. */
export async function renewReservation(context: Context, id: string): Promise<void> {
  const expires_at = renewedAt(context);
  await context.db.updateTable('reservation').set({ expires_at }).where('id', '=', id).execute();
}

/** Of requests whose process has died; tells how many of which project. */
export async function dropExpiredReservations({ db, now }: Context): Promise<RemovalCount[]> {
  const { rows } = await sql<RemovalCount>`
    with gone as (delete from reservation where expires_at < ${now()} returning project_id)
    select project_id, count(*) as count from gone group by project_id`.execute(db);
  return rows;
}

export const renewEveryMs = leaseMs / 3;

const renewedAt = ({ now }: Context) => new Date(now().getTime() + leaseMs);
