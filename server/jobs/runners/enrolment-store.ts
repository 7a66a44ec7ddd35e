import type { RunnerRegistration } from '@platen/contract/runner-registration';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';

interface NewRunner extends RunnerRegistration {
  readonly id: string;
  readonly name: string;
  readonly tokenHash: Buffer;
  /** Started by this service, on the same disk. */
  readonly isEmbedded: boolean;
  readonly now: Date;
}

/**
 * Enrols a runner; one that returns under its name keeps its ID and gets a new token. Returns the ID; undefined if the
 * name belongs to a runner of the other kind, because an enrolled runner must not replace an embedded one.
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

/** Updates the details that a runner reports when it starts with an existing token. */
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

/** Makes an enrolment token valid; without `until` it does not expire. */
export async function allowEnrolment(db: Db, tokenHash: Buffer, until?: Date): Promise<void> {
  await sql`insert into enrolment_token (hash, expires_at) values (${tokenHash}, ${until ?? null})
    on conflict (hash) do update set expires_at = excluded.expires_at`.execute(db);
}

/** Replaces the enrolment token of the configuration; undefined removes it. */
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
