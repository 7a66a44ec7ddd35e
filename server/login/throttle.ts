import { sql } from 'kysely';
import { inTransaction, type Db } from '../database/database.ts';
import { Failure } from '../failure.ts';

const windowMs = 15 * 60_000;
const maxPerAccount = 10;
const maxPerAddress = 100;

interface Attempt {
  readonly username: string;
  readonly address: string;
  readonly now: Date;
}

const accountKey = ({ username }: Attempt) => `account:${username.toLowerCase()}`;
const addressKey = ({ address }: Attempt) => `address:${address}`;

/**
 * Counts an attempt as failed before it is tried, so that many at once do not slip through.
 * @throws Failure `too_many_requests` when the account or the address has failed too often
 */
export async function countAttempt(db: Db, attempt: Attempt): Promise<void> {
  await inTransaction(db, (tx) => countInTurn(tx, attempt));
}

async function countInTurn(db: Db, attempt: Attempt): Promise<void> {
  for (const key of [accountKey(attempt), addressKey(attempt)]) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db);
  }
  const since = new Date(attempt.now.getTime() - windowMs);
  await db.deleteFrom('login_failure').where('at', '<', since).execute();
  const { rows } = await sql<{ account: number; address: number; oldest: Date | null }>`
    select count(*) filter (where key = ${accountKey(attempt)}) as account,
      count(*) filter (where key = ${addressKey(attempt)}) as address, min(at) as oldest
    from login_failure where key in (${accountKey(attempt)}, ${addressKey(attempt)})`.execute(db);
  const { account, address, oldest } = rows[0]!;
  if (account >= maxPerAccount || address >= maxPerAddress) {
    const waitMs = (oldest?.getTime() ?? 0) + windowMs - attempt.now.getTime();
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
    throw new Failure('too_many_requests', 'Too many failed attempts: try again later.', {
      retryAfterSeconds,
    });
  }
  const keys = [accountKey(attempt), addressKey(attempt)];
  await db
    .insertInto('login_failure')
    .values(keys.map((key) => ({ key, at: attempt.now })))
    .execute();
}

/** After a success the account starts anew, and this attempt no longer counts for the address. */
export async function forgetFailures(db: Db, attempt: Attempt): Promise<void> {
  await sql`delete from login_failure where key = ${accountKey(attempt)} or id =
    (select max(id) from login_failure where key = ${addressKey(attempt)})`.execute(db);
}
