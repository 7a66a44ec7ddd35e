import { leaseMs } from '@platen/contract/runner';
import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import type { JobRow } from '../jobs/store.ts';

interface Claim {
  readonly runnerId: string;
  readonly labels: readonly string[];
  /** SHA-256 of the token of this attempt. */
  readonly tokenHash: Buffer;
  readonly now: Date;
}

/** Takes the most urgent job whose labels the runner carries, oldest first; what others take meanwhile is passed over. */
export async function claim(
  db: Db,
  { runnerId, labels, tokenHash, now }: Claim,
): Promise<JobRow | undefined> {
  const { rows } = await sql<JobRow>`
    with next as (
      select id from job where state = 'queued' and labels <@ ${[...labels]}::text[]
      order by priority desc, created_at, id limit 1 for update skip locked
    )
    update job set state = 'running', attempt = attempt + 1, runner_id = ${runnerId}, token_hash = ${tokenHash},
      lease_until = ${new Date(now.getTime() + leaseMs)}, start_time = coalesce(start_time, ${now}::timestamptz),
      progress = null, stages = '[]', warnings = '[]', log_received = 0,
      revision = revision + 1, updated_at = ${now}
    from next where job.id = next.id returning job.*`.execute(db);
  return rows[0];
}
