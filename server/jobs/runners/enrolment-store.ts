import type { RunnerRegistration } from '@platen/contract/runner-registration';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';

interface NewRunner extends RunnerRegistration {
  readonly id: string;
  readonly name: string;
  readonly tokenHash: Buffer;
  /** Started by this service, on its disk. */
  readonly isEmbedded: boolean;
  readonly now: Date;
}

/**
 * A runner that comes back under its name stays the same one, with a new token. Returns its id; undefined where the name
 * is that of a runner of the other kind, as who enrols may not take the place of one beside the service.
 */
export async function enrolRunner(db: Db, runner: NewRunner): Promise<string | undefined> {
  const { typeNames, capabilities, now } = runner;
  const { rows } = await sql<{ id: string }>`
    insert into runner (id, name, labels, version, type_names, capabilities, token_hash, is_embedded, seen_at, created_at)
    values (${runner.id}, ${runner.name}, ${runner.labels}, ${runner.version}, ${typeNames ?? null},
      ${capabilities ? JSON.stringify(capabilities) : null}::json, ${runner.tokenHash}, ${runner.isEmbedded}, ${now}, ${now})
    on conflict (name) do update set labels = excluded.labels, version = excluded.version,
      type_names = excluded.type_names, capabilities = excluded.capabilities, token_hash = excluded.token_hash,
      seen_at = excluded.seen_at, stopped_at = null
    where runner.is_embedded = excluded.is_embedded
    returning id`.execute(db);
  return rows[0]?.id;
}

interface Registration extends RunnerRegistration {
  readonly runnerId: string;
  readonly now: Date;
}

/** What a runner tells of itself when it starts again with a token that it has. */
export async function registerRunner(
  db: Db,
  { runnerId, labels, version, typeNames, capabilities, now }: Registration,
): Promise<void> {
  await sql`
    update runner set labels = ${labels}, version = ${version}, type_names = ${typeNames ?? null},
      capabilities = ${capabilities ? JSON.stringify(capabilities) : null}::json, seen_at = ${now}, stopped_at = null
    where id = ${runnerId}`.execute(db);
}

export async function stopRunner(db: Db, runnerId: string, now: Date): Promise<void> {
  await db.updateTable('runner').set({ stopped_at: now, seen_at: now }).where('id', '=', runnerId).execute();
}

/** Lets whoever holds the token enrol runners; without an end, until it is removed. */
export async function allowEnrolment(db: Db, tokenHash: Buffer, until?: Date): Promise<void> {
  await sql`insert into enrolment_token (hash, expires_at) values (${tokenHash}, ${until ?? null})
    on conflict (hash) do update set expires_at = excluded.expires_at`.execute(db);
}

/** The token of the operator's configuration takes the place of the one before; undefined: nobody may enrol with one. */
export async function setEnrolmentToken(db: Db, tokenHash: Buffer | undefined): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`delete from enrolment_token where expires_at is null`.execute(tx);
    if (tokenHash) await allowEnrolment(tx, tokenHash);
  });
}

export async function mayEnrol(db: Db, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { rows } = await sql`select hash from enrolment_token
    where hash = ${tokenHash} and (expires_at is null or expires_at > ${now})`.execute(db);
  return rows.length > 0;
}
