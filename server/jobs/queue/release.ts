import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { notify } from '../../base/database/notifications.ts';
import type { Fence } from './fence.ts';

/** Gives a held job back to the queue, where a next attempt waits for a runner. Call it for a locked job. */
export async function release(tx: Db, { jobId, attempt }: Fence, now: Date): Promise<void> {
  await sql`
    update job set state = 'queued', runner_id = null, token_hash = null, lease_until = null, deadline_at = null, progress = null,
      stages = '[]', warnings = '[]', revision = revision + 1, updated_at = ${now}
    where id = ${jobId} and attempt = ${attempt} and state = 'running'`.execute(tx);
  await notify(tx, 'jobQueued');
}
