import type { Db } from '../database/database.ts';
import { findFilesAfter, type ObjectFile } from '../objects/store.ts';

const mostNeighbours = 100;

/** The file, and behind it, where it is a .shp, the companions that lie beside it under the same name. */
export async function filesOf(db: Db, file: ObjectFile): Promise<ObjectFile[]> {
  if (!/\.shp$/i.test(file.key)) return [file];
  const prefix = file.key.slice(0, -3);
  const page = { prefix, after: prefix, limit: mostNeighbours };
  const neighbours = await findFilesAfter(db, file.dataBucketId, page);
  return [file, ...neighbours.filter(({ key }) => /^(?:dbf|shx|prj|cpg)$/i.test(key.slice(prefix.length)))];
}
