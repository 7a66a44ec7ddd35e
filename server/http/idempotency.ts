import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '../base/context.ts';
import type { Db } from '../base/database/database.ts';
import { tryLock } from '../base/database/advisory-locks.ts';
import { inTransaction } from '../base/database/transaction.ts';
import { Failure } from '../base/failure.ts';
import type { Caller } from '../base/caller.ts';

interface IdempotentRequest {
  readonly key: string;
  readonly caller: Caller;
  readonly path: string;
  readonly body: unknown;
}

const lifetimeMs = 24 * 3_600_000;
/** Stored replies of one caller, and their bytes. */
const maxReplies = 10_000;
const maxReplyBytes = 64 * 1024 * 1024;

/**
 * Runs the effect of a POST at most once per caller, path and key. The reply is recorded in the transaction of the
 * effect, so a repeated request gets the first reply even if the connection broke.
 * @throws Failure `conflict` while the first request still runs, `unprocessable` for another body with the same key,
 *   `too_many_requests` if the caller has too many stored replies
 */
export async function runOnce(
  context: Context,
  { key, caller, path, body }: IdempotentRequest,
  effect: (context: Context) => Promise<unknown>,
): Promise<unknown> {
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Failure('invalid', 'Idempotency-Key must be 1 to 255 printable ASCII characters.');
  }
  const { secrets } = context;
  // signed, not hashed: the body may contain a password, which nobody must be able to guess from the row
  const signed = JSON.stringify([caller.userId, path, key, body]);
  return inTransaction(context.db, async (tx) => {
    const now = context.now();
    const lock = createHash('sha256')
      .update(JSON.stringify([caller.userId, path, key]))
      .digest()
      .readBigInt64BE();
    if (!(await tryLock(tx, lock)))
      throw new Failure('conflict', 'The first request with this Idempotency-Key is still running.');
    const expired = new Date(now.getTime() - lifetimeMs);
    await tx.deleteFrom('idempotent_request').where('created_at', '<', expired).execute();
    const known = await tx
      .selectFrom('idempotent_request')
      .select(['body_hash', 'reply'])
      .where('user_id', '=', caller.userId)
      .where('path', '=', path)
      .where('key', '=', key)
      .executeTakeFirst();
    if (known && !secrets.isSigned(signed, known.body_hash)) {
      throw new Failure('unprocessable', 'This Idempotency-Key was used before with another body.');
    }
    if (known) return known.reply;
    await requireFewReplies(tx, caller.userId);
    const reply = await effect({ ...context, db: tx });
    await tx
      .insertInto('idempotent_request')
      .values({
        user_id: caller.userId,
        path,
        key,
        body_hash: secrets.sign(signed),
        reply: JSON.stringify(reply),
        created_at: now,
      })
      .execute();
    return reply;
  });
}

async function requireFewReplies(db: Db, userId: string): Promise<void> {
  const { rows } = await sql<{ replies: number; bytes: number }>`
    select count(*) as replies, coalesce(sum(pg_column_size(reply)), 0) as bytes
    from idempotent_request where user_id = ${userId}`.execute(db);
  const { replies, bytes } = rows[0]!;
  if (replies < maxReplies && bytes < maxReplyBytes) return;
  throw new Failure(
    'too_many_requests',
    'You have used too many Idempotency-Keys in the last 24 hours. Send fewer requests with one.',
    { retryAfterSeconds: 3600 },
  );
}
