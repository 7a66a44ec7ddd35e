import type { DatasourceLineage } from '@platen/contract/lineage';
import { sql } from 'kysely';
import type { Context } from '../base/context.ts';
import type { Db } from '../base/database/database.ts';
import type { StoredLineage } from '../base/database/schema.ts';
import { notFound } from '../base/failure.ts';
import type { DatasourcePath } from './operations.ts';

/** @throws Failure `not_found` also if no job made the current revision */
export async function getLineage(
  { db }: Context,
  { projectId, datasourceId }: DatasourcePath,
): Promise<DatasourceLineage> {
  const row = await db
    .selectFrom('datasource as d')
    .innerJoin('datasource_revision as r', (join) =>
      join.onRef('r.datasource_id', '=', 'd.id').onRef('r.revision', '=', 'd.data_revision'),
    )
    .select('r.lineage')
    .where('d.project_id', '=', projectId)
    .where('d.id', '=', datasourceId)
    .executeTakeFirst();
  if (!row) throw notFound('datasource');
  if (row.lineage === null) throw notFound('job that made the current data of this datasource');
  const { furtherKeys: _keys, filesDigest: _files, manifest: _manifest, ...lineage } = row.lineage;
  return lineage;
}

/** Records how the current revision was made, in the transaction that has added it. */
export async function recordLineage(tx: Db, datasourceId: string, lineage: StoredLineage): Promise<void> {
  await sql`
    update datasource_revision r set lineage = ${JSON.stringify(lineage)}::json from datasource d
    where d.id = ${datasourceId} and r.datasource_id = d.id and r.revision = d.data_revision`.execute(tx);
}
