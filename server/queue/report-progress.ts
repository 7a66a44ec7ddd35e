import type { RunnerProgress } from '@platen/contract/runner';
import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import type { Fence } from './fence.ts';

/** Keeps the newest progress and all warnings so far; a new phase becomes a new stage and ends the one before. */
export async function reportProgress(
  db: Db,
  { jobId, attempt }: Fence,
  { progress, warnings, now }: RunnerProgress & { readonly now: Date },
): Promise<boolean> {
  const stage = JSON.stringify([{ name: progress.phase, startTime: now.toISOString() }]);
  const ended = JSON.stringify({ endTime: now.toISOString() });
  const { rows } = await sql`
    update job set progress = ${JSON.stringify(progress)}::json, warnings = ${JSON.stringify(warnings)}::json,
      stages = case
        when progress ->> 'phase' = ${progress.phase} then stages
        when json_array_length(stages) = 0 then ${stage}::json
        else (jsonb_set(stages::jsonb, '{-1}', (stages::jsonb -> -1) || ${ended}::jsonb) || ${stage}::jsonb)::json
      end,
      updated_at = ${now}, revision = revision + 1
    where id = ${jobId} and attempt = ${attempt} and state = 'running' returning id`.execute(db);
  return rows.length > 0;
}
