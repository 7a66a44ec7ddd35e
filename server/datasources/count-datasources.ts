import type { DatasourceSummary, DatasourceSummaryQuery } from '@platen/contract/datasources';
import { sql } from 'kysely';
import type { Db } from '../base/database/database.ts';
import { exactFilter } from '../base/database/lists.ts';

interface Row {
  readonly kind: 'all' | 'types' | 'createdByUsers' | 'updatedByUsers';
  readonly _id: string | null;
  readonly count: number;
  readonly created_from: Date;
  readonly created_to: Date;
  readonly updated_from: Date;
  readonly updated_to: Date;
}

/** Counts the datasources of a project, or those that match the filters. */
export async function countDatasources(
  db: Db,
  projectId: string,
  { type, createdBy, updatedBy }: DatasourceSummaryQuery,
): Promise<DatasourceSummary> {
  const conditions = [
    sql`d.project_id = ${projectId}`,
    exactFilter('d.type', type),
    exactFilter('d.created_by', createdBy),
    exactFilter('d.updated_by', updatedBy),
  ].filter((condition) => condition !== undefined);
  const { rows } = await sql<Row>`
    select case when grouping(type) = 0 then 'types' when grouping(created_by) = 0 then 'createdByUsers'
        when grouping(updated_by) = 0 then 'updatedByUsers' else 'all' end as kind,
      coalesce(type, created_by, updated_by) as _id, count(*)::int as count,
      min(created_at) as created_from, max(created_at) as created_to,
      min(updated_at) as updated_from, max(updated_at) as updated_to
    from datasource d where ${sql.join(conditions, sql` and `)}
    group by grouping sets ((type), (created_by), (updated_by), ()) order by 2`.execute(db);
  const countsOf = (kind: Row['kind']) =>
    rows.filter((row) => row.kind === kind).map(({ _id, count }) => ({ _id: _id!, count }));
  const all = rows.find(({ kind }) => kind === 'all')!;
  return {
    numberOfItems: all.count,
    types: countsOf('types'),
    createdByUsers: countsOf('createdByUsers'),
    updatedByUsers: countsOf('updatedByUsers'),
    ...(all.count > 0 && {
      createdAtRange: { from: all.created_from.toISOString(), to: all.created_to.toISOString() },
      updatedAtRange: { from: all.updated_from.toISOString(), to: all.updated_to.toISOString() },
    }),
  };
}
