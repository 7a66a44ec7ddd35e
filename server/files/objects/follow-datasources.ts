import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { Failure } from '../../base/failure.ts';
import { folderOf } from './key.ts';
import { isFolder, type Transfer } from './transfer-store.ts';

const maxNamed = 5;

/**
 * A datasource serves its folder as a whole: its files name each other, so one of them alone must not leave.
 * @throws Failure `conflict` that names the datasources
 */
export async function requireWhole(tx: Db, transfer: Transfer): Promise<void> {
  const { from } = transfer;
  const { rows } = await sql<{ _id: string; name: string }>`
    select id as _id, name from datasource
    where bucket_id = ${from.bucketId} and served_folder is not null and starts_with(${from.key}, served_folder)
      and served_folder <> ${from.key} and not (bucket_key = ${from.key} and ${staysInFolder(transfer)})
    order by id limit ${maxNamed + 1}`.execute(tx);
  if (rows.length === 0) return;
  const names = rows.slice(0, maxNamed).map(({ _id, name }) => `“${name}” (${_id})`);
  const more = rows.length > maxNamed ? ' and more' : '';
  const what = isFolder(from) ? 'folder' : 'file';
  const text = `The ${what} is part of the data served by ${names.join(', ')}${more}: move the whole folder, or send force: true.`;
  const errors = rows.map(({ _id, name }) => ({
    pointer: `datasource/${_id}`,
    code: 'in_use',
    detail: name,
  }));
  throw new Failure('conflict', text, { errors });
}

/** A file that gets another name where it is. */
const staysInFolder = ({ from, to }: Transfer): boolean =>
  !isFolder(from) && from.bucketId === to.bucketId && folderOf(from.key) === folderOf(to.key);

/**
 * Updates the paths of datasources, and of their earlier revisions, after a move. Deletes the stored configurations of
 * releases that show one of them, because those contain the old address.
 */
export async function relocateDatasources(tx: Db, transfer: Transfer): Promise<void> {
  const { by, now } = transfer;
  const moved = sql`set ${place(transfer)}, former_names = ${formerNames(transfer)}`;
  await sql`update datasource d ${moved}, revision = revision + 1, updated_at = ${now}, updated_by = ${by}
    where ${pointsThere(transfer)}`.execute(tx);
  await sql`
    with relocated as (
      update datasource_revision d ${moved} where ${pointsThere(transfer)} returning datasource_id, revision
    )
    delete from app_release_config c using app_release_data p join relocated r using (datasource_id, revision)
    where c.release_id = p.release_id`.execute(tx);
}

function pointsThere(transfer: Transfer) {
  const { from } = transfer;
  const key = isFolder(from)
    ? sql`(starts_with(d.bucket_key, ${from.key}) or d.served_folder = ${from.key})`
    : sql`(d.bucket_key = ${from.key} and (d.served_folder is null or ${staysInFolder(transfer)}))`;
  return sql`d.bucket_id = ${from.bucketId} and ${key}`;
}

/** The path after the move; that of a whole folder may be stored without its final `/`. */
const moved = ({ from, to }: Transfer, column: 'bucket_key' | 'served_folder') => {
  const path = sql.ref(`d.${column}`);
  const whole = isFolder(from) ? to.key.slice(0, -1) : to.key;
  return sql`case when ${path} = ${isFolder(from) ? from.key.slice(0, -1) : from.key} then ${whole}::text
    else ${to.key}::text || substr(${path}, length(${from.key}::text) + 1) end`;
};

function place(transfer: Transfer) {
  const { to } = transfer;
  const key = moved(transfer, 'bucket_key');
  const folder = isFolder(to) ? moved(transfer, 'served_folder') : sql`d.served_folder`;
  const slash = sql`case when d.source_properties ->> 'dataBucketKey' like '%/' then '/' else '' end`;
  return sql`bucket_id = ${to.bucketId}, bucket_key = ${key}, served_folder = ${folder},
    source_properties = json_strip_nulls(json_build_object('type', 'internal', 'dataBucketId', ${to.bucketId}::text,
      'dataBucketKey', (${key}) || ${slash}, 'urlSuffix', d.source_properties ->> 'urlSuffix'))`;
}

/** Under which a file is still served, as its address with the name has been given to others. The latest ten. */
function formerNames({ from, to }: Transfer) {
  const [before, after] = [nameOf(from.key), nameOf(to.key)];
  if (isFolder(from) || before === after) return sql`d.former_names`;
  return sql`(array[${before}::text] || array_remove(array_remove(d.former_names, ${before}), ${after}))[:10]`;
}

const nameOf = (key: string) => key.slice(folderOf(key).length);
