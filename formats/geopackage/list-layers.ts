import type { DatabaseSync } from 'node:sqlite';
import {
  SourceError,
  type Source,
  type SourceFile,
  type SourceLayer,
  type SourcePart,
  type SourceWarning,
} from '../source/source.ts';
import { declaredBbox, describeTable, type TableShape } from './describe-table.ts';
import { isDamage, leftovers, quoted } from './open-database.ts';

/** A range of a feature table. Row numbers are decimal strings, as they may exceed 2^53. */
export interface RowRange {
  readonly table: string;
  readonly geometryColumn: string;
  /** Range of row numbers, both ends inclusive; the whole table if absent. */
  readonly rows?: { readonly from: string; readonly to: string };
}

interface Content {
  readonly table: string;
  readonly geometryColumn: string;
  readonly srs: number;
  readonly bbox: SourceLayer['bbox'];
}

interface Layer extends Content {
  readonly shape: TableShape;
  readonly count: number | undefined;
}

/** Counting reads the whole table where the file does not say: of larger files the count stays unknown. */
const countedFileBytes = 64 * 2 ** 20;
const maxParts = 10_000;

/** @throws SourceError */
export function listLayers(
  database: DatabaseSync,
  file: SourceFile,
  partBytes: number,
): Pick<Source, 'layers' | 'warnings'> {
  const warnings: SourceWarning[] = leftovers(file.path).map((ending) => ({
    code: 'uncommittedChanges',
    message: `the changes in ${file.name}${ending} are not read: close the program that has the file open, and copy it again`,
  }));
  requireTables(database);
  const layers: Layer[] = [];
  for (const content of contents(database)) {
    const shape = describeTable(database, content.table, content.geometryColumn);
    if (shape === undefined) {
      const message = `the layer ${content.table} is listed, but its table is missing`;
      warnings.push({ code: 'missingTable', message });
    } else layers.push({ ...content, shape, count: countRows(database, content.table, file.size) });
  }
  if (layers.length === 0) {
    throw new SourceError(
      'unsupported',
      'the GeoPackage contains no table of features, only tiles or attributes',
    );
  }
  const rows = layers.reduce((sum, { count }) => sum + (count ?? 0), 0);
  return {
    warnings,
    layers: layers.map((layer) => {
      const known = rows > 0 && layers.every(({ count }) => count !== undefined);
      const share = known ? layer.count! / rows : 1 / layers.length;
      const weight = file.size * share;
      return {
        name: layer.table,
        crs: crsOf(database, layer.srs),
        featureCount: layer.count,
        fields: layer.shape.columns,
        bbox: layer.bbox,
        parts: cutRows(database, layer, Math.ceil(weight / partBytes)).map(
          (range, _, { length }): SourcePart => ({
            format: 'geopackage',
            file,
            weight: weight / length,
            range,
          }),
        ),
      };
    }),
  };
}

function tableNames(database: DatabaseSync): Set<string> {
  const rows = database.prepare(`select lower(name) as name from sqlite_schema where type = 'table'`).all();
  return new Set(rows.map(({ name }) => String(name)));
}

/** Real tables, not views that the file might have in their place. */
function requireTables(database: DatabaseSync): void {
  const tables = tableNames(database);
  const missing = ['gpkg_contents', 'gpkg_geometry_columns', 'gpkg_spatial_ref_sys'].find(
    (name) => !tables.has(name),
  );
  if (missing === undefined) return;
  if (missing === 'gpkg_geometry_columns' && tables.has('gpkg_contents')) {
    throw new SourceError(
      'unsupported',
      'the GeoPackage contains no table of features, only tiles or attributes',
    );
  }
  let what = '';
  if (tables.has('geometry_columns')) what = ' (it may be SpatiaLite: convert it to GeoPackage)';
  else if (tables.has('tiles')) what = ' (it may be MBTiles)';
  throw new SourceError(
    'notRecognised',
    `it is an SQLite database, but not a GeoPackage: it has no table ${missing}${what}`,
  );
}

function contents(database: DatabaseSync): Content[] {
  const rows = database
    .prepare(
      `select c.table_name, g.column_name, g.srs_id, c.min_x, c.min_y, c.max_x, c.max_y
         from gpkg_contents c join gpkg_geometry_columns g on lower(g.table_name) = lower(c.table_name)
        where c.data_type = 'features'`,
    )
    .all();
  return rows.map((row) => ({
    table: String(row['table_name']),
    geometryColumn: String(row['column_name']),
    srs: Number(row['srs_id']),
    bbox: declaredBbox([row['min_x'], row['min_y'], row['max_x'], row['max_y']]),
  }));
}

function countRows(database: DatabaseSync, table: string, fileBytes: number): number | undefined {
  if (tableNames(database).has('gpkg_ogr_contents')) {
    const said = database
      .prepare('select feature_count from gpkg_ogr_contents where lower(table_name) = lower(?)')
      .get(table)?.['feature_count'];
    if (typeof said === 'number' && said >= 0) return said;
  }
  if (fileBytes > countedFileBytes) return undefined;
  try {
    return Number(database.prepare(`select count(*) as rows from ${quoted(table)}`).get()!['rows']);
  } catch (error) {
    // the readable rest of a damaged table is worth reading; the damage is reported then
    if (isDamage(error)) return undefined;
    throw error;
  }
}

/** An EPSG code if there is one, otherwise the WKT, preferably of the newer version. */
function crsOf(database: DatabaseSync, srs: number): string | undefined {
  // OGC 12-128r19, 1.1.2.1.2: undefined Cartesian and undefined geographic.
  if (srs === -1 || srs === 0) return undefined;
  const row = database.prepare('select * from gpkg_spatial_ref_sys where srs_id = ?').get(srs);
  if (row === undefined) return undefined;
  const organization = String(row['organization']).toUpperCase();
  const code = `${organization}:${String(row['organization_coordsys_id'])}`;
  if (organization === 'EPSG') return code;
  const wkt = [row['definition_12_063'], row['definition']].find(
    (text) => typeof text === 'string' && text.includes('['),
  );
  return wkt === undefined ? code : String(wkt);
}

/** Equal ranges of row numbers, found without reading the rows between their ends. */
function cutRows(database: DatabaseSync, layer: Layer, partCount: number): RowRange[] {
  const { table, geometryColumn, shape } = layer;
  const { rowNumber } = shape;
  if (rowNumber === undefined) return [{ table, geometryColumn }];
  // Apart, as SQLite finds each end at once but not both together.
  const end = (which: 'min' | 'max'): bigint | null => {
    const statement = database.prepare(`select ${which}(${rowNumber}) as row from ${quoted(table)}`);
    statement.setReadBigInts(true);
    return statement.get()!['row'] as bigint | null;
  };
  const first = end('min');
  const last = end('max');
  if (first === null || last === null) return [];
  const span = last - first + 1n;
  const parts = BigInt(Math.max(1, Math.min(partCount, maxParts)));
  const count = parts > span ? span : parts;
  return Array.from({ length: Number(count) }, (_, i) => ({
    table,
    geometryColumn,
    rows: {
      from: String(first + (span * BigInt(i)) / count),
      to: String(first + (span * BigInt(i + 1)) / count - 1n),
    },
  }));
}
