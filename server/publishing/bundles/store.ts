import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import type { Fence } from '../../jobs/queue/fence.ts';
import type { Contents } from './contents.ts';

/** The contents fixed by the attempt; undefined if it has not requested them yet. */
export async function findContents(db: Db, { jobId, attempt }: Fence): Promise<Contents | undefined> {
  const row = await db
    .selectFrom('bundle_content')
    .select('content')
    .where('job_id', '=', jobId)
    .where('attempt', '=', attempt)
    .executeTakeFirst();
  return row?.content as Contents | undefined;
}

/** Unless another look of the same attempt was faster. */
export async function keepContents(
  tx: Db,
  { jobId, attempt }: Fence,
  { contents, now }: { contents: Contents; now: Date },
): Promise<void> {
  await sql`
    insert into bundle_content as b (job_id, attempt, content, created_at)
      values (${jobId}, ${attempt}, ${JSON.stringify(contents)}, ${now})
    on conflict (job_id) do update set attempt = excluded.attempt, content = excluded.content,
      created_at = excluded.created_at where b.attempt < excluded.attempt`.execute(tx);
}
