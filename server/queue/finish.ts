import type { JobOutput, JobState, JobWarning } from '@platen/contract/jobs';
import type { FreeForm } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { notify } from '../database/notifications.ts';

interface End {
  readonly jobId: string;
  readonly state: Exclude<JobState, 'queued' | 'running'>;
  readonly warnings: readonly JobWarning[];
  readonly outputs?: readonly JobOutput[];
  readonly report?: FreeForm;
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly now: Date;
}

/** Ends a job that the transaction has locked; its token is void from here on. Tells those who wait for it. */
export async function finish(
  tx: Db,
  { jobId, state, warnings, outputs = [], report, now, ...error }: End,
): Promise<void> {
  const ended = JSON.stringify({ endTime: now.toISOString() });
  await sql`
    update job set state = ${state}, warnings = ${JSON.stringify(warnings)}::json, outputs = ${JSON.stringify(outputs)}::json,
      report = ${report ? JSON.stringify(report) : null}::json,
      error_code = ${error.errorCode ?? null}, error_message = ${error.errorMessage ?? null},
      stages = case when json_array_length(stages) = 0 then stages
        else jsonb_set(stages::jsonb, '{-1}', (stages::jsonb -> -1) || ${ended}::jsonb)::json end,
      end_time = ${now}, lease_until = null, token_hash = null,
      revision = revision + 1, updated_at = ${now}
    where id = ${jobId}`.execute(tx);
  await notify(tx, 'jobEnded', jobId);
}
