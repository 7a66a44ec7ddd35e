import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Db } from '../database/database.ts';
import { inTransaction } from '../database/transaction.ts';
import { reencryptSecrets } from './reencrypt-secrets.ts';

type KeyContext = Pick<Context, 'db' | 'secrets' | 'log' | 'now'>;

/**
 * Logs secrets that no key of this service can decrypt, and replicas with another key. Then re-encrypts secrets of
 * older
 * keys, so that those can be retired. Never prevents the start of the service.
 */
export async function checkKeys(context: KeyContext): Promise<void> {
  try {
    await logUnknownKeys(context);
    await reencryptSecrets(context);
  } catch (error) {
    context.log.error({ err: error }, 'checking the secret keys failed');
  }
}

async function logUnknownKeys({ db, secrets, log, now }: KeyContext): Promise<void> {
  const { keyIds, currentKeyId } = secrets;
  for (const { keyId, count } of await countByUnknownKey(db, keyIds))
    log.error(
      { keyId, count, ownKeyIds: keyIds },
      `${count} credentials were encrypted with a key that this service does not have. Add that key (PLATEN_SECRET_KEY), or have the credentials entered again.`,
    );
  const others = await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      delete from secret_key where id <> all (${[...keyIds]}::text[]) returning id`.execute(tx);
    await sql`insert into secret_key (id, created_at) values (${currentKeyId}, ${now()})
      on conflict do nothing`.execute(tx);
    return rows;
  });
  for (const { id: keyId } of others)
    log.warn(
      { keyId, ownKeyIds: keyIds },
      'this database was used with another secret key before. Services that share a database must share their secret key (PLATEN_SECRET_KEY).',
    );
}

async function countByUnknownKey(db: Db, keyIds: readonly string[]) {
  const { rows } = await sql<{ keyId: string; count: number }>`
    select key_id_of(secret) as "keyId", count(*) as count from (
      select secret from login_credential union all select secret from credential where secret is not null
    ) sealed
    where key_id_of(secret) <> all (${[...keyIds]}::text[]) group by 1 order by 1`.execute(db);
  return rows;
}
