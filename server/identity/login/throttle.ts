import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure } from '../../base/failure.ts';

const windowMs = 15 * 60_000;
/** Of one account, or of one share link from one address. */
const mostOfOne = 10;
/** From one address; and of one share link from all addresses. */
const mostOfMany = 100;

/** A try at a password, and what it counts for if it fails: so many failures are borne. */
export interface Attempt {
  readonly limits: readonly (readonly [key: string, most: number])[];
  readonly now: Date;
}

const ofAddress = (address: string) => [`address:${address}`, mostOfMany] as const;
const accountKey = (username: string) => `account:${username.toLowerCase()}`;

interface Login {
  readonly username: string;
  readonly address: string;
  readonly now: Date;
}

export function loginAttempt({ username, address, now }: Login): Attempt {
  return { limits: [[accountKey(username), mostOfOne], ofAddress(address)], now };
}

/** Whoever guesses from one address does not lock out the others who have the link. */
export function shareLinkAttempt(linkId: string, address: string, now: Date): Attempt {
  const ofVisitor = [`share-link:${linkId} ${address}`, mostOfOne] as const;
  return { limits: [ofVisitor, [`share-link:${linkId}`, mostOfMany], ofAddress(address)], now };
}

/**
 * Counts an attempt as failed before it is tried, so that many at once do not slip through.
 * @throws Failure `too_many_requests` when one of its keys has failed too often
 */
export async function countAttempt(db: Db, attempt: Attempt): Promise<void> {
  await inTransaction(db, (tx) => countInTurn(tx, attempt));
}

async function countInTurn(db: Db, { limits, now }: Attempt): Promise<void> {
  const keys = limits.map(([key]) => key);
  for (const key of keys) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db);
  }
  const since = new Date(now.getTime() - windowMs);
  await db.deleteFrom('login_failure').where('at', '<', since).execute();
  const { rows } = await sql<{ key: string; failures: number; oldest: Date }>`
    select key, count(*) as failures, min(at) as oldest from login_failure
    where key = any(${keys}::text[]) group by key`.execute(db);
  const full = rows.filter(({ key, failures }) => failures >= new Map(limits).get(key)!);
  if (full.length > 0) {
    // until then the oldest failure of each has been forgotten
    const waitMs = Math.max(...full.map(({ oldest }) => oldest.getTime())) + windowMs - now.getTime();
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
    throw new Failure('too_many_requests', 'Too many failed attempts. Try again later.', {
      retryAfterSeconds,
    });
  }
  await db
    .insertInto('login_failure')
    .values(keys.map((key) => ({ key, at: now })))
    .execute();
}

/** After a success this attempt no longer counts. */
export async function forgetAttempt(db: Db, { limits }: Attempt): Promise<void> {
  const keys = limits.map(([key]) => key);
  await sql`delete from login_failure where id in (
    select max(id) from login_failure where key = any(${keys}::text[]) group by key)`.execute(db);
}

/** After a success the account starts anew besides. */
export async function forgetFailures(db: Db, login: Login): Promise<void> {
  await forgetAttempt(db, loginAttempt(login));
  await db.deleteFrom('login_failure').where('key', '=', accountKey(login.username)).execute();
}
