import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure } from '../../base/failure.ts';
import { networkOf } from '../../base/network.ts';
import { delayAfter, waitOut } from './pace.ts';

const windowMs = 15 * 60_000;
/** Failures of one client at one account or share link. */
const maxPerClient = 10;
/** Failures at a share link, from wherever. */
const maxPerShareLink = 100;
/** Failures at an account, or from a network, that have no effect on the next attempt. */
const freePerAccount = 20;
const freePerNetwork = 50;

type Limit = readonly [key: string, failures: number];

/** An attempt to prove a password. */
export interface Attempt {
  /** Maximum of failures per window: the next attempt is refused. */
  readonly limits: readonly Limit[];
  /** Failures that have no effect: those beyond it delay the next attempts, and refuse none. */
  readonly paced: readonly Limit[];
  readonly now: Date;
}

/**
 * A stranger at an account. Only failures of the same network refuse attempts, so that strangers elsewhere cannot lock
 * out the user; guesses from many networks, or at many accounts, become slow.
 * @param account key of the account, whether it exists or not
 */
export function strangerAttempt(account: string, address: string, now: Date): Attempt {
  return {
    limits: [[`login:${account} ${networkOf(address)}`, maxPerClient]],
    paced: [
      [`login-account:${account}`, freePerAccount],
      [`login-network:${networkOf(address, 48)}`, freePerNetwork],
    ],
    now,
  };
}

/** A browser that has been signed in to the account, or still is: failures of others do not count for it. */
export function knownAttempt(holder: string, now: Date): Attempt {
  return { limits: [[`known:${holder}`, maxPerClient]], paced: [], now };
}

/** Limits each visitor too, so that guessing from one address does not lock out others. */
export function shareLinkAttempt(linkId: string, address: string, now: Date): Attempt {
  return {
    limits: [
      [`share-link:${linkId} ${networkOf(address)}`, maxPerClient],
      [`share-link:${linkId}`, maxPerShareLink],
    ],
    paced: [[`login-network:${networkOf(address, 48)}`, freePerNetwork]],
    now,
  };
}

/**
 * Checks a password, unless there were too many failures. An attempt whose password could not be checked does not count.
 * @throws Failure `too_many_requests`, and what `check` throws
 */
export async function tryPassword(
  context: Context,
  attempt: Attempt,
  check: () => Promise<boolean>,
): Promise<boolean> {
  await countAttempt(context, attempt);
  try {
    return await check();
  } catch (error) {
    await forgetAttempt(context.db, attempt);
    throw error;
  }
}

/**
 * Counts an attempt as failed before the password is checked, so that concurrent attempts count, and waits as long as
 * earlier failures demand.
 * @throws Failure `too_many_requests` if a limit is reached, or too many attempts are waiting
 */
async function countAttempt({ db, settings }: Context, attempt: Attempt): Promise<void> {
  const excess = await inTransaction(db, (tx) => countLocked(tx, attempt));
  const keys = attempt.paced.map(([key]) => key);
  try {
    await waitOut(keys, delayAfter(excess, settings.maxLoginDelayMs));
  } catch (error) {
    await forgetAttempt(db, attempt);
    throw error;
  }
}

/** @returns by how many failures the paced keys exceed what has no effect */
async function countLocked(db: Db, { limits, paced, now }: Attempt): Promise<number> {
  const keys = [...limits, ...paced].map(([key]) => key);
  for (const key of keys) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db);
  }
  const since = new Date(now.getTime() - windowMs);
  await db.deleteFrom('login_failure').where('at', '<', since).execute();
  const { rows } = await sql<{ key: string; failures: number; oldest: Date }>`
    select key, count(*) as failures, min(at) as oldest from login_failure
    where key = any(${keys}::text[]) group by key`.execute(db);
  const counted = new Map(rows.map((row) => [row.key, row]));
  const full = limits.flatMap(([key, max]) => {
    const row = counted.get(key);
    return row && row.failures >= max ? [row] : [];
  });
  if (full.length > 0) {
    // by then the oldest failure of each key has expired
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
  return Math.max(0, ...paced.map(([key, free]) => (counted.get(key)?.failures ?? 0) - free));
}

/** Removes the attempt, after a success or if it was never made. */
export async function forgetAttempt(db: Db, { limits, paced }: Attempt): Promise<void> {
  const keys = [...limits, ...paced].map(([key]) => key);
  await sql`delete from login_failure where id in (
    select max(id) from login_failure where key = any(${keys}::text[]) group by key)`.execute(db);
}

/** Removes the attempt and all failures of this client after a success. */
export async function forgetFailures(db: Db, attempt: Attempt): Promise<void> {
  await forgetAttempt(db, attempt);
  const keys = attempt.limits.map(([key]) => key);
  await db.deleteFrom('login_failure').where('key', 'in', keys).execute();
}
