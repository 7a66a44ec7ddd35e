import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import type { ClaimedRow } from './claim.ts';
import { giveBack } from './give-back.ts';
import { note } from './note.ts';

const pauseMs = 5_000;

/** Puts a job that was claimed just now back for a moment, as another is where it would work. That is no failure of it. */
export async function waitTurn(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { id: jobId, attempt }: Pick<ClaimedRow, 'id' | 'attempt'>,
  message: string,
): Promise<void> {
  const at = now();
  await inTransaction(db, async (tx) => {
    if ((await giveBack(tx, { jobId, attempt }, { now: at })) !== 'queued') return;
    if (!(await wasTold(tx, jobId, message))) await note(tx, { jobId, level: 'info', message, now: at });
    await sql`update job set not_before = ${new Date(at.getTime() + pauseMs)} where id = ${jobId}`.execute(
      tx,
    );
  });
}

/** It may come back every few seconds for hours. */
async function wasTold(tx: Db, jobId: string, message: string): Promise<boolean> {
  const { rows } = await sql`
    select from job_log where job_id = ${jobId} and message = ${message} limit 1`.execute(tx);
  return rows.length > 0;
}
