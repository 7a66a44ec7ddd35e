import type { DatasourceFacts } from '@platen/contract/datasource-facts';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { notify } from '../../base/database/notifications.ts';
import { describeDatasourceRevision } from '../../files/revisions/store.ts';

interface Row {
  readonly id: string;
  readonly bbox: number[] | null;
  readonly facts: DatasourceFacts | null;
  readonly updated_by: string;
}

/** Entry files of folders, by which a folder is inspected. */
const entryFile = /(^|\/)(tileset\.json|layer\.json|3dSceneLayer\.json(\.gz)?|image\.json|images\.fgb)$/;

/** Keeps what was found in a file or folder with the datasources that serve it. Must be called in a transaction. */
export async function completeDatasourcesOf(
  tx: Db,
  { bucketId, key }: { readonly bucketId: string; readonly key: string },
  facts: DatasourceFacts,
  now: Date,
): Promise<void> {
  const keys = [key.replace(/\/$/, ''), ...(entryFile.test(key) ? [key.replace(/\/?[^/]*$/, '')] : [])];
  const { rows } = await sql<Row>`
    select id, bbox, facts, updated_by from datasource
    where bucket_id = ${bucketId} and bucket_key = any(${keys}::text[]) and type <> 'generic'
    order by id for update`.execute(tx);
  for (const row of rows) await complete(tx, row, facts, now);
}

/** Must be called in a transaction. Does nothing if its data is another by now. */
export async function completeDatasource(
  tx: Db,
  { id, dataRevision }: { readonly id: string; readonly dataRevision: number },
  facts: DatasourceFacts,
  now: Date,
): Promise<void> {
  const { rows } = await sql<Row>`
    select id, bbox, facts, updated_by from datasource
    where id = ${id} and data_revision = ${dataRevision} for update`.execute(tx);
  for (const row of rows) await complete(tx, row, facts, now);
}

/**
 * An extent that was given stays. The first facts of data make no new revision, as nobody has changed anything; others
 * do, so that nobody sends the former extent back unawares.
 */
async function complete(tx: Db, row: Row, facts: DatasourceFacts, now: Date): Promise<void> {
  const { id, bbox, facts: former, updated_by: by } = row;
  if (JSON.stringify(facts) === JSON.stringify(former)) return;
  const isFirst = former === null;
  const isFound = bbox === null || String(bbox) === String(former?.bbox);
  await tx
    .updateTable('datasource')
    .set({
      facts: JSON.stringify(facts),
      ...(isFound && { bbox: facts.bbox ?? null }),
      ...(!isFirst && { revision: sql<number>`revision + 1` }),
    })
    .where('id', '=', id)
    .execute();
  // a new revision records its event itself
  if (isFirst)
    await sql`insert into project_change (project_id, type, action, resource_id, revision, by)
      select project_id, 'datasource', 'changed', id, revision, updated_by from datasource where id = ${id}`.execute(
      tx,
    );
  await describeDatasourceRevision(tx, id, { now, by });
  await notify(tx, 'accessChanged');
}
