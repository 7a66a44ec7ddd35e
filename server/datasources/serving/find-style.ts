import type { Db } from '../../base/database/database.ts';

/** Finds the style in the properties of a datasource, which the job that made its tiles wrote. */
export async function findStyle(db: Db, datasourceId: string): Promise<unknown> {
  const row = await db
    .selectFrom('datasource')
    .select((columns) => columns.ref('properties', '->').key('style').as('style'))
    .where('id', '=', datasourceId)
    .executeTakeFirst();
  return row?.style;
}
