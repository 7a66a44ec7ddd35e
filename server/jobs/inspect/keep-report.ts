import type { FreeForm } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import type { JobRow } from '../store.ts';
import { findObject } from '../../files/objects/store.ts';
import { isReport } from './answer-of.ts';
import { saveReport } from './store.ts';
import { summaryOf } from './summary-of.ts';

interface Subject {
  readonly bucketId: string;
  readonly key: string;
  readonly name: string;
  readonly sha256?: string;
}

interface Ended {
  readonly job: JobRow;
  readonly report: FreeForm | undefined;
  readonly now: Date;
}

/** Of faults of ours: once they are mended, it is to be looked at again. */
const passing = new Set(['inspectorFailed', 'inspectionTooLong']);

/** Keeps what an inspection has found out, with the end of its job; unless the file was changed meanwhile. */
export async function keepReport(tx: Db, { job, report, now }: Ended): Promise<void> {
  const { subject } = job.parameters as { subject?: Subject };
  if (job.report_of === null || !subject || !isReport(report)) return;
  if (report.issues.some(({ code }) => passing.has(code))) return;
  const { bucketId, key, name, sha256 } = subject;
  if (sha256 !== undefined && (await findObject(tx, bucketId, key))?.sha256 !== sha256) return;
  const summary = summaryOf(report);
  await saveReport(tx, {
    projectId: job.project_id,
    reportOf: job.report_of,
    sha256,
    name,
    report,
    summary,
    now,
  });
  // what the file is, is new to those who look at the list
  await sql`insert into project_change (project_id, type, action, resource_id, count)
    values (${job.project_id}, 'objects', 'changed', ${bucketId}, 1)`.execute(tx);
}
