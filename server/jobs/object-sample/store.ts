import type { JobCompletion } from '@platen/contract/job-end';
import type { FreeForm } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';

export interface ReportKey {
  readonly projectId: string;
  readonly reportOf: Buffer;
}

type Samples = NonNullable<JobCompletion['samples']>;

/** Replaces the samples of a report. Stores nothing if the report was not kept. */
export async function saveSamples(
  db: Db,
  { projectId, reportOf }: ReportKey,
  samples: Samples,
): Promise<void> {
  await sql`delete from inspection_sample where project_id = ${projectId} and report_of = ${reportOf}`.execute(
    db,
  );
  for (const [position, { layer, isWhole, features }] of samples.entries())
    await sql`
      insert into inspection_sample (project_id, report_of, position, layer, is_whole, features)
      select ${projectId}, ${reportOf}::bytea, ${position}::int, ${layer}, ${isWhole}::boolean,
        ${JSON.stringify(features)}::json
      where exists (select from inspection where project_id = ${projectId} and report_of = ${reportOf})`.execute(
      db,
    );
}

export async function findSampledLayers(db: Db, { projectId, reportOf }: ReportKey): Promise<string[]> {
  const { rows } = await sql<{ layer: string }>`
    select layer from inspection_sample
    where project_id = ${projectId} and report_of = ${reportOf} order by position`.execute(db);
  return rows.map(({ layer }) => layer);
}

interface StoredSample {
  readonly is_whole: boolean;
  readonly features: FreeForm[];
}

export async function findSample(
  db: Db,
  { projectId, reportOf }: ReportKey,
  layer: string,
): Promise<{ isWhole: boolean; features: FreeForm[] } | undefined> {
  const { rows } = await sql<StoredSample>`
    select is_whole, features from inspection_sample
    where project_id = ${projectId} and report_of = ${reportOf} and layer = ${layer}
    order by position limit 1`.execute(db);
  const [row] = rows;
  return row && { isWhole: row.is_whole, features: row.features };
}
