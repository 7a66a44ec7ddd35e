import { sql, type RawBuilder } from 'kysely';
import type { Context } from '../context.ts';
import type { Db } from '../database/database.ts';
import { inTransaction } from '../database/transaction.ts';
import { Failure } from '../failure.ts';
import type { Secrets } from './secrets.ts';

/** The owner that a secret is sealed for; it cannot be opened for another row. */
export const ownerOf = {
  login: (id: string) => `login:${id}`,
  credential: (id: string) => `credential:${id}`,
} as const;

interface SealedRow {
  /** Sort key of the row within its place. */
  readonly at: string;
  readonly id: string;
  readonly secret: Buffer;
}

interface SealedPlace {
  readonly owner: (id: string) => string;
  /** Query that returns `at`, `id` and `secret` of each row. */
  readonly rows: RawBuilder<unknown>;
  readonly write: (row: SealedRow, sealed: Buffer) => RawBuilder<unknown>;
}

const inTable = (table: string, owner: SealedPlace['owner']): SealedPlace => ({
  owner,
  rows: sql`select id as at, id, secret from ${sql.table(table)} where secret is not null`,
  write: ({ id, secret }, sealed) =>
    sql`update ${sql.table(table)} set secret = ${sealed} where id = ${id} and secret = ${secret}`,
});

const inTrash: SealedPlace = {
  owner: ownerOf.credential,
  rows: sql`select entry_id || ' ' || position as at, content ->> 'id' as id,
      decode(substring(content ->> 'secret' from 3), 'hex') as secret
    from trash_row where source = 'credential' and content ->> 'secret' is not null`,
  write: ({ at }, sealed) => sql`update trash_row
    set content = jsonb_set(content::jsonb, '{secret}', to_jsonb(${`\\x${sealed.toString('hex')}`}::text))::json
    where entry_id || ' ' || position = ${at} and source = 'credential'`,
};

const places = [
  inTable('login_credential', ownerOf.login),
  inTable('credential', ownerOf.credential),
  inTrash,
];
const rowsAtOnce = 100;

/** Re-encrypts secrets of older keys with the first key. Users see no change, so revisions stay the same. */
export async function reencryptSecrets({
  db,
  secrets,
  log,
}: Pick<Context, 'db' | 'secrets' | 'log'>): Promise<void> {
  const older = secrets.keyIds.filter((id) => id !== secrets.currentKeyId);
  if (older.length === 0) return;
  let count = 0;
  for (const place of places) {
    for (let after: string | undefined = ''; after !== undefined;) {
      const rows = await findSealed(db, place, { older, after });
      for (const row of rows) if (await sealRow(db, secrets, { place, row })) count++;
      after = rows.length === rowsAtOnce ? rows.at(-1)!.at : undefined;
    }
  }
  if (count > 0)
    log.info({ count, keyId: secrets.currentKeyId }, 'credentials were re-encrypted with the first key');
}

async function findSealed(
  db: Db,
  { rows: placeRows }: SealedPlace,
  { older, after }: { older: readonly string[]; after: string },
): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    select * from (${placeRows}) sealed where key_id_of(secret) = any (${[...older]}::text[]) and at > ${after}
    order by at limit ${rowsAtOnce}`.execute(db);
  return rows;
}

/** Skips damaged secrets. A row changed in the meantime has already been sealed with the current key. */
async function sealRow(
  db: Db,
  secrets: Secrets,
  { place, row }: { place: SealedPlace; row: SealedRow },
): Promise<boolean> {
  try {
    const owner = place.owner(row.id);
    const sealed = secrets.seal(secrets.open(row.secret, owner), owner);
    await inTransaction(db, (tx) => place.write(row, sealed).execute(tx));
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
