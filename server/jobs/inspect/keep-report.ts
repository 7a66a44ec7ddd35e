import type { FreeForm } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import type { JobRow } from '../store.ts';
import { completeDatasourcesOf } from '../../datasources/facts/complete.ts';
import { factsOfReport } from '../../datasources/facts/facts-of.ts';
import { findObject } from '../../files/objects/store.ts';
import { isReport } from './inspection-answer.ts';
import { saveReport } from './store.ts';
import { summaryOf } from './summary-of.ts';

interface Subject {
  readonly bucketId: string;
  readonly key: string;
  readonly name: string;
  readonly sha256?: string;
}

interface EndedInspection {
  readonly job: JobRow;
  readonly report: FreeForm | undefined;
  readonly now: Date;
}

/** Codes of faults of the service: these files are inspected again. */
const serviceFaults = new Set(['inspectorFailed', 'inspectionTooLong']);

/** Stores the report when the inspection ends, unless the file was changed meanwhile. */
export async function keepReport(tx: Db, { job, report, now }: EndedInspection): Promise<void> {
  const { subject } = job.parameters as { subject?: Subject };
  if (job.report_of === null || !subject || !isReport(report)) return;
  if (report.issues.some(({ code }) => serviceFaults.has(code))) return;
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
  const facts = factsOfReport(report);
  if (facts) await completeDatasourcesOf(tx, { bucketId, key }, facts, now);
  // lists show the result of the inspection
  await sql`insert into project_change (project_id, type, action, resource_id, count)
    values (${job.project_id}, 'objects', 'changed', ${bucketId}, 1)`.execute(tx);
}
