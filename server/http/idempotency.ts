import { createHash } from 'node:crypto';
import type { Context } from '../base/context.ts';
import { tryLock } from '../base/database/advisory-locks.ts';
import { inTransaction } from '../base/database/transaction.ts';
import { Failure } from '../base/failure.ts';
import type { Caller } from '../base/caller.ts';
import { deriveTag, type PasswordCost } from '../base/secrets/passwords.ts';

interface IdempotentRequest {
  readonly key: string;
  readonly caller: Caller;
  readonly path: string;
  readonly body: unknown;
}

const lifetimeMs = 24 * 3_600_000;

/**
 * Runs the effect of a POST at most once per caller, path and key. The reply is recorded in the transaction of the
 * effect, so a repeated request gets the first reply even if the connection broke.
 * @throws Failure `conflict` while the first request still runs, `unprocessable` for another body with the same key
 */
export async function runOnce(
  context: Context,
  { key, caller, path, body }: IdempotentRequest,
  effect: (context: Context) => Promise<unknown>,
): Promise<unknown> {
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Failure('invalid', 'Idempotency-Key must be 1 to 255 printable ASCII characters.');
  }
  const bodyHash = await digestOf(body, `${path} ${key}`, context.settings.passwordCost);
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
    if (known && !known.body_hash.equals(bodyHash)) {
      throw new Failure('unprocessable', 'This Idempotency-Key was used before with another body.');
    }
    if (known) return known.reply;
    const reply = await effect({ ...context, db: tx });
    await tx
      .insertInto('idempotent_request')
      .values({
        user_id: caller.userId,
        path,
        key,
        body_hash: bodyHash,
        reply: JSON.stringify(reply),
        created_at: now,
      })
      .execute();
    return reply;
  });
}

const secretNames = ['password', 'privateKey', 'passphrase', 'secretAccessKey', 'sessionToken'];

/** Hashes the body for comparison. Bodies with secrets are hashed like passwords, so that they cannot be guessed. */
async function digestOf(body: unknown, salt: string, cost: PasswordCost): Promise<Buffer> {
  const text = JSON.stringify(body) ?? '';
  const isSecret = body !== null && typeof body === 'object' && secretNames.some((name) => name in body);
  return isSecret
    ? deriveTag(text, createHash('sha256').update(salt).digest(), cost)
    : createHash('sha256').update(text).digest();
}
