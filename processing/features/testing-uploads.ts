import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addLayer, createGeoPackage, encodeGeometry, insertRows } from '@platen/formats/geopackage/testing';
import { encodeDbf, encodeShp } from '@platen/formats/shapefile/testing';

/** By name. */
export type Files = Readonly<Record<string, Uint8Array | string>>;
export type Place = readonly [number, number];

/** A table with the one column `name` and one row. */
export const named = (name: Buffer | string) =>
  encodeDbf({ fields: [{ name: 'name', type: 'C', length: 10 }], rows: [[name]] });

/** The files of a shapefile with one point. @param more other contents, by their endings */
export const shapefile = (base: string, [x, y]: Place, more: Files = {}): Files => {
  const { shp, shx } = encodeShp([{ type: 1, points: [[x, y]] }]);
  const parts = { shp, shx, dbf: named(base.replace(/.*\//, '')), prj: wgs84, ...more };
  return Object.fromEntries(Object.entries(parts).map(([ending, content]) => [`${base}.${ending}`, content]));
};

/** As ESRI writes them. */
const wgs84 =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';
export const utm32 =
  'PROJCS["ETRS_1989_UTM_Zone_32N",GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",9.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]';

type Layer = readonly [table: string, place: Place, srs?: number];

/** Each layer has one point, which is called like it. */
export async function geoPackage(...layers: readonly Layer[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-geopackage-'));
  const path = join(folder, 'made.gpkg');
  const database = createGeoPackage(path);
  const system = database.prepare(
    `insert or ignore into gpkg_spatial_ref_sys values ('', ?, 'EPSG', ?, 'undefined', '')`,
  );
  for (const [table, place, srs = 4326] of layers) {
    system.run(srs, srs);
    addLayer(database, { table, srs, columns: 'name text' });
    insertRows(database, table, [[1, encodeGeometry({ type: 'Point', coordinates: place }), table]]);
  }
  database.close();
  const bytes = await readFile(path);
  await rm(folder, { recursive: true });
  return bytes;
}
