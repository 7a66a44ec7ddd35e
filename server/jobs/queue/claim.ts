import { leaseMs } from '@platen/contract/runner';
import { sql, type RawBuilder } from 'kysely';
import type { Settings } from '../../base/config.ts';
import type { Db } from '../../base/database/database.ts';
import type { JobRow } from '../store.ts';

interface Claim {
  readonly runnerId: string;
  readonly labels: readonly string[];
  /** The names of the job types that the runner knows; null: any. */
  readonly typeNames: readonly string[] | null;
  /** SHA-256 of the token of this attempt. */
  readonly tokenHash: Buffer;
  readonly now: Date;
  /** That of leases. */
  readonly clock: RawBuilder<Date>;
  readonly settings: Pick<Settings, 'maxRunningJobs' | 'jobTimeoutMs'>;
}

export interface ClaimedRow extends JobRow {
  readonly lease_until: Date;
  readonly deadline_at: Date;
}

/**
 * Takes the next job that this runner can run: of the project whose turn it is, the most urgent, oldest first (`claim_job`
 * in migrations/0015_queue.sql). `contended`: there may be one, but somebody else held what had to be looked at.
 */
export async function claim(
  db: Db,
  { runnerId, labels, typeNames, tokenHash, now, clock, settings }: Claim,
): Promise<ClaimedRow | 'contended' | undefined> {
  const { rows } = await sql<ClaimedRow | { id: null }>`
    select * from claim_job(${runnerId}, ${[...labels]}, ${typeNames && [...typeNames]}, ${tokenHash}, ${now},
      ${clock}, ${leaseMs / 1000}, ${settings.maxRunningJobs ?? null}, ${settings.jobTimeoutMs / 1000})`.execute(
    db,
  );
  const [row] = rows;
  return row && row.id === null ? 'contended' : row;
}
