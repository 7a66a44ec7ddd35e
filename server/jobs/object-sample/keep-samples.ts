import type { JobCompletion } from '@platen/contract/job-end';
import type { Db } from '../../base/database/database.ts';
import { Failure } from '../../base/failure.ts';
import type { JobRow } from '../store.ts';
import { saveSamples } from './store.ts';

const maxBytes = 2.5 * 1024 * 1024;

/** Stores the feature samples of an inspection, after its report. @throws Failure `unprocessable` */
export async function keepSamples(
  tx: Db,
  { report_of: reportOf, project_id: projectId }: JobRow,
  samples: JobCompletion['samples'] = [],
): Promise<void> {
  if (reportOf === null) return;
  if (Buffer.byteLength(JSON.stringify(samples)) > maxBytes)
    throw new Failure('unprocessable', 'The samples of the job are larger than 2.5 MiB.');
  await saveSamples(tx, { projectId, reportOf }, samples);
}
