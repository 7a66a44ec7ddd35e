import type { InspectionReport } from '@platen/contract/inspect';
import type { Job } from '@platen/contract/jobs';
import type { OtherGround } from '@platen/processing/heights/judge-heights';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { fromRow, type JobRow } from '../store.ts';

/** The stored report of a content, if it was inspected. */
export async function findReport(
  db: Db,
  projectId: string,
  reportOf: Buffer,
): Promise<InspectionReport | undefined> {
  const { rows } = await sql<{ report: InspectionReport }>`
    select report from inspection where project_id = ${projectId} and report_of = ${reportOf}`.execute(db);
  return rows[0]?.report;
}

const maxGrounds = 50;

/** The newest data of the project whose ground is known, besides this content. */
export async function findGrounds(db: Db, projectId: string, reportOf: Buffer): Promise<OtherGround[]> {
  const { rows } = await sql<OtherGround>`
    select name, report #> '{ground,corners}' as corners, report #> '{layers,0,details,heights}' as heights
      from (select name, report, report_of from inspection
        where project_id = ${projectId} and kind = 'terrain' order by created_at desc limit ${maxGrounds}) newest
      where report_of <> ${reportOf} and report #> '{ground,corners}' is not null`.execute(db);
  return rows;
}

/** Where the data of a project probably are; undefined if the project is gone. */
export async function findProjectArea(db: Db, projectId: string): Promise<readonly number[] | undefined> {
  const { rows } = await sql<{ bbox: number[] }>`
    select bbox from project where id = ${projectId}`.execute(db);
  return rows[0]?.bbox;
}

/** The active inspection of a content. */
export async function findInspection(db: Db, projectId: string, reportOf: Buffer): Promise<Job | undefined> {
  const { rows } = await sql<JobRow>`
    select * from job where project_id = ${projectId} and report_of = ${reportOf}
      and state in ('queued', 'running') order by created_at desc limit 1`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/**
 * The active inspection of a content. Waits for one that is being completed, so that either its report can be read
 * afterwards, or its completion will see all that is committed now.
 */
export async function findUnendedInspection(
  db: Db,
  projectId: string,
  reportOf: Buffer,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from job where project_id = ${projectId} and report_of = ${reportOf}
      and state in ('queued', 'running') for share`.execute(db);
  return rows[0]?.id;
}

interface NewReport {
  readonly projectId: string;
  readonly reportOf: Buffer;
  readonly sha256: string | undefined;
  readonly name: string;
  readonly report: InspectionReport;
  readonly summary: string;
  readonly now: Date;
}

export async function saveReport(
  db: Db,
  { projectId, reportOf, sha256, name, report, summary, now }: NewReport,
): Promise<void> {
  const { format = null, formatTitle = null, kind = null } = report;
  const content = sha256 === undefined ? null : Buffer.from(sha256, 'hex');
  await sql`
    insert into inspection (project_id, report_of, sha256, name, format, format_title, kind, summary, report, created_at)
    values (${projectId}, ${reportOf}, ${content}, ${name}, ${format}, ${formatTitle}, ${kind}, ${summary},
      ${JSON.stringify(report)}, ${now})
    on conflict (project_id, report_of) do update set format = excluded.format, format_title = excluded.format_title,
      kind = excluded.kind, summary = excluded.summary, report = excluded.report, created_at = excluded.created_at`.execute(
    db,
  );
}

/** Whether a runner was seen recently: it polled for jobs, or holds one by the clock of the leases. */
export async function hasRunner(
  db: Db,
  { since, clock }: { readonly since: Date; readonly clock: RawBuilder<Date> },
): Promise<boolean> {
  const { rows } = await sql`
    select where exists (select from runner where seen_at > ${since})
      or exists (select from job where state = 'running' and lease_until > ${clock})`.execute(db);
  return rows.length > 0;
}

/** The number of queued background inspections of the project. */
export async function countWaiting(db: Db, projectId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from job where project_id = ${projectId} and about is not null and state = 'queued'`.execute(
    db,
  );
  return rows[0]!.count;
}
