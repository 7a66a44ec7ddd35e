import type { Db } from '../base/database/database.ts';

/**
 * Finds the datasources that jobs have made besides this one, by what identifies them among the results, and locks
 * them. Where several have a key, because one was restored from the trash, the last one counts.
 */
export async function findFurtherDatasources(
  tx: Db,
  projectId: string,
  primaryId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx
    .selectFrom('datasource')
    .select(['id', 'result_key'])
    .where('project_id', '=', projectId)
    .where('primary_id', '=', primaryId)
    .where('result_key', 'is not', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  return new Map(rows.map(({ id, result_key: key }) => [key!, id]));
}
