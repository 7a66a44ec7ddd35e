import type { DatabaseSync } from 'node:sqlite';
import type { SourceFile, SourceFormat } from '../source/source.ts';
import { listLayers, type RowRange } from './list-layers.ts';
import { openDatabase, refuseTruncated, sourceErrorOf } from './open-database.ts';
import { readRows } from './read-rows.ts';

const maxHeaderValueBytes = 1 << 20;

/** OGC GeoPackage 1.0 to 1.4: its tables and views of features, by SQLite. */
export const geopackageFormat: SourceFormat = {
  name: 'geopackage',
  title: 'GeoPackage',
  async open(file, { partBytes }) {
    const { layers, warnings } = await withDatabase(file, maxHeaderValueBytes, (database) =>
      listLayers(database, file, partBytes),
    );
    return { format: 'geopackage', file, layers, warnings };
  },
  read(part, visit, options) {
    return withDatabase(part.file, options.maxFeatureBytes, (database) =>
      readRows(database, part.range as RowRange, visit, options),
    );
  },
};

async function withDatabase<T>(
  file: SourceFile,
  maxValueBytes: number,
  use: (database: DatabaseSync) => T | Promise<T>,
): Promise<T> {
  let database: DatabaseSync | undefined;
  try {
    refuseTruncated(file);
    database = openDatabase(file.path, maxValueBytes);
    return await use(database);
  } catch (error) {
    throw sourceErrorOf(error);
  } finally {
    database?.close();
  }
}
