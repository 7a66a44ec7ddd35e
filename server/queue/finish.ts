import type { JobOutput, JobState, JobWarning } from '@platen/contract/jobs';
import { sql } from 'kysely';
import type { Db } from '../database/database.ts';

interface End {
  readonly jobId: string;
  readonly state: Exclude<JobState, 'queued' | 'running'>;
  readonly warnings: readonly JobWarning[];
  readonly outputs?: readonly JobOutput[];
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly now: Date;
}

/** Ends a job that the transaction has locked; its token is void from here on. */
export async function finish(
  tx: Db,
  { jobId, state, warnings, outputs = [], now, ...error }: End,
): Promise<void> {
  const ended = JSON.stringify({ endTime: now.toISOString() });
  await sql`
    update job set state = ${state}, warnings = ${JSON.stringify(warnings)}::json, outputs = ${JSON.stringify(outputs)}::json,
      error_code = ${error.errorCode ?? null}, error_message = ${error.errorMessage ?? null},
      stages = case when json_array_length(stages) = 0 then stages
        else jsonb_set(stages::jsonb, '{-1}', (stages::jsonb -> -1) || ${ended}::jsonb)::json end,
      end_time = ${now}, lease_until = null, token_hash = null,
      revision = revision + 1, updated_at = ${now}
    where id = ${jobId}`.execute(tx);
}
