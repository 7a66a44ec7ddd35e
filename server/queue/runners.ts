import { sql } from 'kysely';
import { inTransaction, type Db } from '../database/database.ts';

interface NewRunner {
  readonly id: string;
  readonly name: string;
  readonly labels: readonly string[];
  readonly version: string;
  readonly tokenHash: Buffer;
  readonly now: Date;
}

/** A runner that comes back under its name stays the same one, with a new token. Returns its id. */
export async function enrolRunner(db: Db, runner: NewRunner): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into runner (id, name, labels, version, token_hash, seen_at, created_at)
    values (${runner.id}, ${runner.name}, ${[...runner.labels]}, ${runner.version}, ${runner.tokenHash},
      ${runner.now}, ${runner.now})
    on conflict (name) do update set labels = excluded.labels, version = excluded.version,
      token_hash = excluded.token_hash, seen_at = excluded.seen_at
    returning id`.execute(db);
  return rows[0]!.id;
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
