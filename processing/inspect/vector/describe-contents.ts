import type { InspectedLayer } from '@platen/contract/inspect';
import type { Bytes } from '@platen/formats/bytes/bytes';
import { findCrs, UnknownCrs, type Crs } from '@platen/formats/crs/find-crs';
import { openSqlite, type SqliteFile, type SqliteTable } from '@platen/formats/sqlite/open-sqlite';
import { boxInLonLat, onEarth, type Box } from '../box.ts';
import { describeCrs } from '../place/resolve-place.ts';

const maxLayers = 100;

/** Names of geometry types, OGC GeoPackage 1.3, 2.1.5. */
const geometryTypes = new Map(
  ['Point', 'LineString', 'Polygon', 'MultiPoint', 'MultiLineString', 'MultiPolygon'].map((name) => [
    name.toUpperCase(),
    name,
  ]),
);

type Row = Readonly<Record<string, unknown>>;

interface Tables {
  readonly geometries: readonly Row[];
  readonly counts: readonly Row[];
  readonly systems: readonly Row[];
}

/** Describes the layers of a GeoPackage from its tables alone, without reading features. @throws SqliteError */
export async function describeContents(bytes: Bytes): Promise<InspectedLayer[]> {
  const file = await openSqlite(bytes);
  const tables = {
    geometries: await rowsOf(file, 'gpkg_geometry_columns'),
    counts: await rowsOf(file, 'gpkg_ogr_contents'),
    systems: await rowsOf(file, 'gpkg_spatial_ref_sys'),
  };
  const contents = (await rowsOf(file, 'gpkg_contents')).filter((row) => row['data_type'] === 'features');
  return contents.slice(0, maxLayers).map((content) => describe(content, tables));
}

function describe(content: Row, { geometries, counts, systems }: Tables): InspectedLayer {
  const isOurs = (row: Row) => row['table_name'] === content['table_name'];
  const geometry = geometries.find(isOurs);
  const system = systems.find((row) => row['srs_id'] === (geometry?.['srs_id'] ?? content['srs_id']));
  const type = geometryTypes.get(String(geometry?.['geometry_type_name']).toUpperCase());
  const count = counts.find(isOurs)?.['feature_count'];
  const crs = system && crsOf(system);
  const bbox = crs && bboxOf(content, crs);
  return {
    name: String(content['table_name']).slice(0, 200).toWellFormed(),
    geometryTypes: type === undefined ? [] : [type],
    ...(isCount(count) && { featureCount: Number(count) }),
    isEstimated: false,
    ...(crs && { crs: describeCrs(crs, false) }),
    ...(bbox && { bbox }),
    isBboxEstimated: false,
    fields: [],
  };
}

async function rowsOf(file: SqliteFile, name: string): Promise<Row[]> {
  const table: SqliteTable | undefined = file.table(name);
  const rows: Row[] = [];
  if (!table) return rows;
  for await (const values of table.rows()) {
    rows.push(Object.fromEntries(table.columns.map((column, i) => [column.toLowerCase(), values[i]])));
    if (rows.length >= 10_000) break;
  }
  return rows;
}

function crsOf({ organization, organization_coordsys_id: id }: Row): Crs | undefined {
  try {
    return findCrs(`${String(organization)}:${String(id)}`);
  } catch (error) {
    if (error instanceof UnknownCrs) return undefined;
    throw error;
  }
}

function bboxOf({ min_x: west, min_y: south, max_x: east, max_y: north }: Row, crs: Crs): Box | undefined {
  const box = [west, south, east, north].map((value) => (typeof value === 'number' ? value : NaN)) as Box;
  if (!box.every(Number.isFinite)) return undefined;
  return onEarth(boxInLonLat(crs, box));
}

const isCount = (count: unknown): boolean =>
  (typeof count === 'number' || typeof count === 'bigint') && count >= 0 && count <= Number.MAX_SAFE_INTEGER;
