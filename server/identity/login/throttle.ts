import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure } from '../../base/failure.ts';

const windowMs = 15 * 60_000;
/** Failures per account, or per share link and address. */
const maxPerAccount = 10;
/** Failures per address, and per share link. */
const maxPerAddress = 100;

/** A login attempt and its rate-limit buckets with their maximum of failures per window. */
export interface Attempt {
  readonly limits: readonly (readonly [key: string, max: number])[];
  readonly now: Date;
}

const addressLimit = (address: string) => [`address:${address}`, maxPerAddress] as const;
const accountKey = (username: string) => `account:${username.toLowerCase()}`;

interface Login {
  readonly username: string;
  readonly address: string;
  readonly now: Date;
}

export function loginAttempt({ username, address, now }: Login): Attempt {
  return { limits: [[accountKey(username), maxPerAccount], addressLimit(address)], now };
}

/** Limits each visitor too, so that guessing from one address does not lock out others. */
export function shareLinkAttempt(linkId: string, address: string, now: Date): Attempt {
  const visitorLimit = [`share-link:${linkId} ${address}`, maxPerAccount] as const;
  return { limits: [visitorLimit, [`share-link:${linkId}`, maxPerAddress], addressLimit(address)], now };
}

/**
 * Counts an attempt as failed before the password is checked, so that concurrent attempts count.
 * @throws Failure `too_many_requests` if a bucket is full
 */
export async function countAttempt(db: Db, attempt: Attempt): Promise<void> {
  await inTransaction(db, (tx) => countLocked(tx, attempt));
}

async function countLocked(db: Db, { limits, now }: Attempt): Promise<void> {
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
    // by then the oldest failure of each bucket has expired
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

/** Removes the attempt after a success. */
export async function forgetAttempt(db: Db, { limits }: Attempt): Promise<void> {
  const keys = limits.map(([key]) => key);
  await sql`delete from login_failure where id in (
    select max(id) from login_failure where key = any(${keys}::text[]) group by key)`.execute(db);
}

/** Removes the attempt and all failures of the account after a success. */
export async function forgetFailures(db: Db, login: Login): Promise<void> {
  await forgetAttempt(db, loginAttempt(login));
  await db.deleteFrom('login_failure').where('key', '=', accountKey(login.username)).execute();
}
