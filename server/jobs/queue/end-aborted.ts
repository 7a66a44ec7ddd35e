import type { JobWarning } from '@platen/contract/jobs';
import type { Db } from '../../base/database/database.ts';
import { finish } from './finish.ts';
import { note } from './note.ts';

interface Aborted {
  readonly jobId: string;
  readonly warnings: readonly JobWarning[];
  readonly now: Date;
}

/** Ends a locked job that was asked to stop; by whom, its log tells already. */
export async function endAborted(tx: Db, { jobId, warnings, now }: Aborted): Promise<void> {
  await note(tx, { jobId, level: 'info', message: 'The job was aborted.', now });
  await finish(tx, { jobId, state: 'aborted', warnings, now });
}
