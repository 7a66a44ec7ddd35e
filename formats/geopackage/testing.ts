import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { encodeWkb, plainWkb, type Geometry } from '../wkb/testing.ts';

/** @param envelope its code, 0 to 4 */
export function encodeGeometry(geometry: Geometry, envelope = 0, style = plainWkb): Uint8Array {
  const head = Buffer.alloc(8 + [0, 4, 6, 6, 8][envelope]! * 8);
  head.write('GP', 0);
  head[3] = 1 | (envelope << 1);
  head.writeInt32LE(4326, 4);
  return Buffer.concat([head, encodeWkb(geometry, style)]);
}

/** The tables that every GeoPackage has; OGC 12-128r19, annex C. */
export function createGeoPackage(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(`
    pragma synchronous = off; pragma application_id = 0x47504B47; pragma user_version = 10400;
    create table gpkg_spatial_ref_sys (srs_name text not null, srs_id integer primary key,
      organization text not null, organization_coordsys_id integer not null, definition text not null,
      description text);
    create table gpkg_contents (table_name text not null primary key, data_type text not null,
      identifier text unique, description text default '', last_change datetime, min_x double, min_y double,
      max_x double, max_y double, srs_id integer);
    create table gpkg_geometry_columns (table_name text not null, column_name text not null,
      geometry_type_name text not null, srs_id integer not null, z tinyint not null, m tinyint not null,
      primary key (table_name, column_name));
    insert into gpkg_spatial_ref_sys values
      ('Undefined Cartesian SRS', -1, 'NONE', -1, 'undefined', null),
      ('Undefined geographic SRS', 0, 'NONE', 0, 'undefined', null),
      ('WGS 84', 4326, 'epsg', 4326, 'GEOGCS["WGS 84"]', null),
      ('Own', 100001, 'NONE', 100001, 'PROJCS["Own"]', null),
      ('Plate Carree', 54001, 'ESRI', 54001, 'undefined', null);`);
  return database;
}

export function addLayer(
  database: DatabaseSync,
  { table, srs = 4326, columns }: { table: string; srs?: number; columns: string },
): void {
  database.exec(
    `create table "${table.replaceAll('"', '""')}" (fid integer primary key autoincrement, geom geometry, ${columns})`,
  );
  register(database, table, srs);
}

export function register(database: DatabaseSync, table: string, srs = 4326): void {
  database
    .prepare(`insert into gpkg_contents values (?, 'features', ?, '', null, -180, -90, 180, 90, ?)`)
    .run(table, table, srs);
  database
    .prepare(`insert into gpkg_geometry_columns values (?, 'geom', 'GEOMETRY', ?, 2, 2)`)
    .run(table, srs);
}

export function insertRows(database: DatabaseSync, table: string, rows: readonly SQLInputValue[][]): void {
  if (rows.length === 0) return;
  const marks = rows[0]!.map(() => '?').join(', ');
  const statement = database.prepare(`insert into "${table.replaceAll('"', '""')}" values (${marks})`);
  statement.setReadBigInts(true);
  database.exec('begin');
  for (const row of rows) statement.run(...row);
  database.exec('commit');
}
