import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';

/** The counters of all folders, as text. */
export async function digestFolders(db: Db): Promise<string> {
  const { rows } = await sql`select bucket_id, path, parent, files, folders, objects, bytes
    from folder order by bucket_id, path`.execute(db);
  return rows.map((row) => JSON.stringify(row)).join('\n');
}

/** What they must be: computed from the keys alone. */
export async function recountFolders(db: Db): Promise<string> {
  const { rows: files } = await sql<{ bucket_id: string; key: string; size: number }>`
    select bucket_id, key, size from object`.execute(db);
  const { rows: buckets } = await sql<{ id: string }>`select id from data_bucket`.execute(db);
  const folders = new Map<string, Record<'files' | 'folders' | 'objects' | 'bytes', number>>();
  const folderOf = (bucketId: string, path: string) => {
    const id = `${bucketId} ${path}`;
    const known = folders.get(id);
    if (known) return known;
    const made = { files: 0, folders: 0, objects: 0, bytes: 0 };
    folders.set(id, made);
    if (path !== '') folderOf(bucketId, parentOf(path)).folders++;
    return made;
  };
  for (const { id } of buckets) folderOf(id, '');
  for (const { bucket_id: bucketId, key, size } of files) {
    const own = parentOf(key);
    folderOf(bucketId, own).files++;
    for (let path = own; ; path = parentOf(path)) {
      const folder = folderOf(bucketId, path);
      folder.objects++;
      folder.bytes += size;
      if (path === '') break;
    }
  }
  const rows = Array.from(folders, ([id, { files: own, folders: children, objects, bytes }]) => {
    const at = id.indexOf(' ');
    const [bucket_id, path] = [id.slice(0, at), id.slice(at + 1)];
    const parent = path === '' ? null : parentOf(path);
    return { bucket_id, path, parent, files: own, folders: children, objects, bytes };
  });
  rows.sort((a, b) =>
    Buffer.compare(Buffer.from(`${a.bucket_id} ${a.path}`), Buffer.from(`${b.bucket_id} ${b.path}`)),
  );
  return rows.map((row) => JSON.stringify(row)).join('\n');
}

/** What a file or a folder lies in. */
const parentOf = (key: string) => key.slice(0, key.replace(/\/$/, '').lastIndexOf('/') + 1);
