import type { FreeForm } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import type { JobRow } from '../store.ts';
import { completeDatasourcesOf } from '../../datasources/facts/complete.ts';
import { factsOfReport } from '../../datasources/facts/facts-of.ts';
import { findObject } from '../../files/objects/store.ts';
import { isReport } from './inspection-answer.ts';
import { saveReport } from './store.ts';
import { findTarget } from './target.ts';
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

interface Place {
  readonly bucketId: string;
  readonly key: string;
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
  if (facts)
    for (const place of [{ bucketId, key }, ...(await findCopies(tx, job, subject))])
      await completeDatasourcesOf(tx, place, facts, now);
  // lists show the result of the inspection
  await sql`insert into project_change (project_id, type, action, resource_id, count)
    values (${job.project_id}, 'objects', 'changed', ${bucketId}, 1)`.execute(tx);
}

/** Files with datasources that have the same report, as they and their sidecar files are equal to those inspected. */
async function findCopies(
  tx: Db,
  { project_id: projectId, report_of: reportOf }: JobRow,
  { bucketId, key, sha256 }: Subject,
): Promise<Place[]> {
  if (sha256 === undefined) return [];
  const { rows } = await sql<Place>`
    select distinct o.bucket_id as "bucketId", o.key from datasource d
      join object o on o.bucket_id = d.bucket_id and o.key = d.bucket_key
      where d.project_id = ${projectId} and o.sha256 = ${Buffer.from(sha256, 'hex')}
        and (o.bucket_id, o.key) <> (${bucketId}, ${key})`.execute(tx);
  const copies: Place[] = [];
  for (const place of rows) {
    const target = await findTarget(tx, place.bucketId, place.key);
    if (target.reportOf.equals(reportOf!)) copies.push(place);
  }
  return copies;
}
