import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { encodeDbf, encodeShp } from '@platen/formats/shapefile/testing';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { geojson as flatGeobuf } from 'flatgeobuf';

type Content = Uint8Array | string;

/** A small valid file of a format. */
export interface SmallFile {
  readonly name: string;
  make(): Content;
  /** Members of a zip file, to mutate before zipping, so that checksums match. */
  readonly members?: () => Readonly<Record<string, Content>>;
}

type Position = [number, number];

const ring = (lon: number, lat: number): Position[] => [
  [lon, lat],
  [lon + 2, lat],
  [lon + 2, lat + 1.5],
  [lon, lat + 1],
  [lon, lat],
];

const features = Array.from({ length: 12 }, (_, id) => {
  const [lon, lat] = [id * 7 - 40, id * 4 - 20];
  const geometry = [
    { type: 'Point' as const, coordinates: [lon, lat] },
    { type: 'LineString' as const, coordinates: ring(lon, lat).slice(0, 4) },
    { type: 'Polygon' as const, coordinates: [ring(lon, lat)] },
  ][id % 3]!;
  const properties = { name: `Größe ${id}`, height: id * 1.5, isOpen: id % 2 === 0, note: '<a> & "b"' };
  return { type: 'Feature' as const, id, geometry, properties };
});
const collection = { type: 'FeatureCollection' as const, features };
const polygons = { ...collection, features: features.filter(({ id }) => id % 3 === 2) };

/** One arc for each feature, in steps of half a degree; the points have their places. */
const topology = {
  type: 'Topology',
  transform: { scale: [0.5, 0.5], translate: [0, 0] },
  arcs: features.map(() => [
    [10, 10],
    [4, 0],
    [0, 3],
    [-4, -1],
    [0, -2],
  ]),
  objects: {
    all: {
      type: 'GeometryCollection',
      geometries: features.map(({ id, properties }) => ({ type: 'Polygon', id, properties, arcs: [[id]] })),
    },
  },
};

const xmlEscape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const positions = (between: string, all: readonly Position[]) =>
  all.map(([lon, lat]) => `${lon}${between}${lat}`);

/** Every format that a mutated file is made of. */
export const smallFiles: readonly SmallFile[] = [
  { name: 'small.geojson', make: () => JSON.stringify(collection) },
  { name: 'small.geojsonl', make: () => features.map((feature) => `${JSON.stringify(feature)}\n`).join('') },
  { name: 'small.topojson', make: () => JSON.stringify(topology) },
  { name: 'small.fgb', make: () => flatGeobuf.serialize(polygons as never) },
  {
    name: 'small.csv',
    make: () =>
      `name,lon,lat,height\n${features.map(({ id }) => `"Größe, ${id}",${id * 7 - 40},${id * 4 - 20},${id}`).join('\n')}\n`,
  },
  {
    name: 'small.kml',
    make: () =>
      `<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>${features
        .map(
          ({ properties }, i) =>
            `<Placemark><name>${xmlEscape(properties.note)}</name><ExtendedData><Data name="height"><value>${i}</value></Data></ExtendedData>
           <Polygon><outerBoundaryIs><LinearRing><coordinates>${positions(',', ring(i, i)).join(' ')}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>`,
        )
        .join('')}</Document></kml>`,
  },
  {
    name: 'small.gml',
    make: () => `<?xml version="1.0" encoding="UTF-8"?><wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0"
      xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:a="http://example.org/a">${features
        .map(
          ({ properties }, i) =>
            `<wfs:member><a:Area gml:id="a${i}"><a:name>${xmlEscape(properties.note)}</a:name><a:shape>
             <gml:Polygon srsName="urn:ogc:def:crs:OGC:1.3:CRS84" gml:id="p${i}"><gml:exterior><gml:LinearRing><gml:posList>${positions(' ', ring(i, i)).join(' ')}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>
             </a:shape></a:Area></wfs:member>`,
        )
        .join('')}</wfs:FeatureCollection>`,
  },
  {
    name: 'small.gpx',
    make: () =>
      `<?xml version="1.0"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">${features
        .map(({ id }) => `<wpt lat="${id}" lon="${id * 2}"><ele>${id}</ele><name>${id}</name></wpt>`)
        .join('')}<trk><trkseg>${ring(5, 5)
        .map(([lon, lat]) => `<trkpt lat="${lat}" lon="${lon}"/>`)
        .join('')}</trkseg></trk></gpx>`,
  },
  { name: 'small.gpkg', make: geoPackage },
  { name: 'small.shp.zip', make: () => zipOfFiles(shapefile()), members: shapefile },
  {
    name: 'small.zip',
    make: () => zipOfFiles({ ...shapefile(), 'more.geojson.gz': gzipSync(JSON.stringify(collection)) }),
  },
];

/** Its polygons, clockwise as ESRI wants them, in Web Mercator, as then the .prj counts. */
function shapefile(): Readonly<Record<string, Content>> {
  const shapes = polygons.features.map(({ id }) => {
    const corners = ring(id * 7, id * 4).map(([lon, lat]) => [lon * 100_000, lat * 100_000]);
    return { type: 5, parts: [corners.toReversed()] };
  });
  const { shp, shx } = encodeShp(shapes);
  const dbf = encodeDbf({
    fields: [
      { name: 'name', type: 'C', length: 12 },
      { name: 'height', type: 'N', length: 8, decimals: 1 },
      { name: 'isOpen', type: 'L', length: 1 },
    ],
    rows: polygons.features.map(({ properties: { name, height, isOpen } }) => [
      Buffer.from(name.padEnd(12), 'latin1'),
      height.toFixed(1).padStart(8),
      isOpen ? 'T' : 'F',
    ]),
  });
  const prj = `PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",0.0],PARAMETER["Standard_Parallel_1",0.0],PARAMETER["Auxiliary_Sphere_Type",0.0],UNIT["Meter",1.0]]`;
  return {
    'small.shp': shp,
    'small.shx': shx,
    'small.dbf': dbf,
    'small.prj': prj,
    'small.cpg': 'ISO-8859-1',
  };
}

/** OGC 12-128r19, clauses 1.1 and 2.1; the geometries little-endian, without an envelope. */
function geoPackage(): Uint8Array {
  const database = new DatabaseSync(':memory:');
  database.exec(`pragma application_id = 0x47504b47; pragma user_version = 10300;
    create table gpkg_spatial_ref_sys (srs_name text, srs_id integer primary key, organization text,
      organization_coordsys_id integer, definition text, description text);
    insert into gpkg_spatial_ref_sys values ('WGS 84', 4326, 'EPSG', 4326, 'undefined', '');
    create table gpkg_contents (table_name text primary key, data_type text, identifier text, description text,
      last_change text, min_x real, min_y real, max_x real, max_y real, srs_id integer);
    insert into gpkg_contents values ('all', 'features', 'all', '', '2026-01-01T00:00:00Z', -40, -20, 60, 40, 4326);
    create table gpkg_geometry_columns (table_name text, column_name text, geometry_type_name text, srs_id integer,
      z integer, m integer);
    insert into gpkg_geometry_columns values ('all', 'geom', 'POINT', 4326, 0, 0);
    create table "all" (fid integer primary key, geom blob, name text, height real)`);
  const insert = database.prepare('insert into "all" values (?, ?, ?, ?)');
  for (const { id, properties } of features) {
    const blob = Buffer.alloc(29);
    blob.write('GP');
    blob.writeUInt8(1, 3);
    blob.writeInt32LE(4326, 4);
    blob.writeUInt8(1, 8);
    blob.writeUInt32LE(1, 9);
    blob.writeDoubleLE(id * 7 - 40, 13);
    blob.writeDoubleLE(id * 4 - 20, 21);
    insert.run(id, blob, properties.name, properties.height);
  }
  const bytes = database.serialize();
  database.close();
  return bytes;
}
