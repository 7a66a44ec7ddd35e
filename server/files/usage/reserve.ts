import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import type { RemovalCount } from '../../base/removal-count.ts';
import { quotaExceeded } from './refusal.ts';
import { findHeld, leftOf, lockLimits, type Amount } from './store.ts';

/** A row of reserved quota. */
export interface Account {
  readonly id: string;
  readonly projectId: string;
  readonly bucketId?: string;
  /** The reservation ends with the upload or the job; without either, when it is not renewed. */
  readonly uploadId?: string;
  readonly jobId?: string;
}

const leaseMs = 15 * 60_000;
const forever = new Date('9999-12-31T00:00:00Z');

interface ReservationRequest {
  /** The minimum; less is refused. */
  readonly need: Amount;
  /** The desired amount, at least `need`; the grant is limited by the quota. */
  readonly want: Amount;
  /** Amount that the account has already; used in the error message only. */
  readonly have?: Amount;
}

/**
 * Reserves more quota and returns how much was granted. Concurrent calls of a project wait for each other.
 * @throws Failure `storage_full`
 */
export async function reserve(
  context: Context,
  account: Account,
  request: ReservationRequest,
): Promise<Amount> {
  return inTransaction(context.db, async (tx) => {
    const granted = await grant(context, tx, account.projectId, request);
    const isLasting = account.uploadId !== undefined || account.jobId !== undefined;
    await addTo(tx, account, granted, isLasting ? forever : renewedAt(context));
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
 * Checks the quota for files that one transaction creates without an upload, such as copies.
 * @throws Failure `storage_full`
 */
export async function requireQuota(context: Context, tx: Db, projectId: string, need: Amount): Promise<void> {
  await grant(context, tx, projectId, { need, want: need });
}

async function grant(
  { settings }: Context,
  tx: Db,
  projectId: string,
  request: ReservationRequest,
): Promise<Amount> {
  const { need, want } = request;
  const limits = await lockLimits(tx, projectId, settings);
  if (!limits || (limits.bytes === undefined && limits.objects === undefined)) return want;
  const { held } = await findHeld(tx, projectId);
  const { bytes = Infinity, objects = Infinity } = leftOf(limits, held);
  if (need.bytes > bytes || need.objects > objects) throw quotaExceeded(limits, held, request);
  return { bytes: Math.min(want.bytes, bytes), objects: Math.min(want.objects, objects) };
}

/** Adds outputs to the reservation of their job, which lasts until the job ends. */
export async function holdForJob(
  tx: Db,
  { projectId, jobId }: { projectId: string; jobId: string },
  amount: Amount,
): Promise<void> {
  await addTo(tx, { id: jobId, projectId, jobId }, amount, forever);
}

/** Removes a replaced output from the reservation of its job; it is not in it if the project had no quota then. */
export async function releaseOfJob(tx: Db, jobId: string, bytes: number): Promise<void> {
  await sql`update reservation set bytes = greatest(0, bytes - ${bytes}), objects = greatest(0, objects - 1)
    where id = ${jobId}`.execute(tx);
}

/** Reduces a reservation by what has been stored or will not be. */
export async function releasePart(db: Db, id: string, { bytes, objects }: Amount): Promise<void> {
  await db
    .updateTable('reservation')
    .set((eb) => ({ bytes: eb('bytes', '-', bytes), objects: eb('objects', '-', objects) }))
    .where('id', '=', id)
    .execute();
}

export async function endReservation(db: Db, id: string): Promise<void> {
  await db.deleteFrom('reservation').where('id', '=', id).execute();
}

/** Extends the lease of a reservation while its request runs. */
export async function renewReservation(context: Context, id: string): Promise<void> {
  const expires_at = renewedAt(context);
  await context.db.updateTable('reservation').set({ expires_at }).where('id', '=', id).execute();
}

/** Deletes reservations of requests whose process died; returns their number by project. */
export async function dropExpiredReservations({ db, now }: Context): Promise<RemovalCount[]> {
  const { rows } = await sql<RemovalCount>`
    with gone as (delete from reservation where expires_at < ${now()} returning project_id)
    select project_id, count(*) as count from gone group by project_id`.execute(db);
  return rows;
}

export const renewEveryMs = leaseMs / 3;

const renewedAt = ({ now }: Context) => new Date(now().getTime() + leaseMs);
