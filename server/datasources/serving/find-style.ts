import type { Db } from '../../base/database/database.ts';

/** The style that a datasource has among its properties, as the job that made its tiles wrote it there. */
export async function findStyle(db: Db, datasourceId: string): Promise<unknown> {
  const row = await db
    .selectFrom('datasource')
    .select((columns) => columns.ref('properties', '->').key('style').as('style'))
    .where('id', '=', datasourceId)
    .executeTakeFirst();
  return row?.style;
}
