import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flatgeobufFormat } from '@platen/formats/flatgeobuf/format';
import { createFlatGeobufWriter } from '@platen/formats/flatgeobuf/write-flatgeobuf';
import { addLayer, createGeoPackage, encodeGeometry, insertRows } from '@platen/formats/geopackage/testing';
import { encodeDbf, encodeShp, type Shape } from '@platen/formats/shapefile/testing';
import { makeFeature } from '../features/testing.ts';
import { zipOfFiles } from '@platen/formats/zip/testing';

/** The same features in every format, written apart from the readers. */

export type Kind = 'Point' | 'LineString' | 'Polygon';
type Position = [number, number];

interface Place {
  readonly kind: Kind;
  /** One line, or the one ring of a polygon, counter-clockwise. */
  readonly positions: readonly Position[];
  readonly properties: {
    readonly name: string;
    readonly count: number;
    readonly height: number;
    readonly open: boolean;
  };
}

export interface FileOfFormat {
  readonly name: string;
  readonly content: Uint8Array | string;
  /** The geometry kinds that it can hold; all if undefined. */
  readonly kinds?: readonly Kind[];
  readonly attributes?: readonly (keyof Place['properties'])[];
}

const kinds: readonly Kind[] = ['Point', 'LineString', 'Polygon'];
/** Degrees that have two decimals. */
const round = (degrees: number): number => Math.round(degrees * 100) / 100;

const places: readonly Place[] = Array.from({ length: 210 }, (_, i) => {
  const kind = kinds[i % 3]!;
  const [x, y] = [round((i % 15) * 11.57 - 80.13), round(Math.floor(i / 15) * 9.31 - 60.41)];
  const corner = (dx: number, dy: number): Position => [round(x + dx), round(y + dy)];
  const ring = [corner(0, 0), corner(5.2, 0.4), corner(4.6, 4.1), corner(0.3, 3.7), corner(0, 0)];
  const positions = { Point: ring.slice(0, 1), LineString: ring.slice(0, 4), Polygon: ring }[kind];
  const name = `Größe ${String(i).padStart(3, '0')} <&>`;
  return { kind, positions, properties: { name, count: i * 7 - 300, height: i + 0.25, open: i % 2 === 0 } };
});
const ofKind = (kind: Kind) => places.filter((place) => place.kind === kind);

const geometryOf = ({ kind, positions }: Place) => ({
  type: kind,
  coordinates: { Point: positions[0]!, LineString: positions, Polygon: [positions] }[kind],
});
const features = places.map((place) => ({
  type: 'Feature',
  geometry: geometryOf(place),
  properties: place.properties,
}));

/** The file that all others are compared with. */
export const reference: FileOfFormat = {
  name: 'all.geojson',
  content: JSON.stringify({ type: 'FeatureCollection', features }),
};

export async function everyFormat(): Promise<FileOfFormat[]> {
  const lines = features.map((feature) => JSON.stringify(feature));
  return [
    { name: 'all.geojsonl', content: `${lines.join('\n')}\n` },
    { name: 'all.geojsonseq', content: lines.map((line) => `\u001e${line}\n`).join('') },
    { name: 'all.topojson', content: topoJson() },
    { name: 'all.fgb', content: await inFolder(flatGeobuf) },
    { name: 'all.gpkg', content: await inFolder(geoPackage) },
    { name: 'all.zip', content: zipOfFiles(shapefiles()) },
    { name: 'points.csv', content: csv(), kinds: ['Point'] },
    { name: 'wkt.csv', content: csvOfWkt() },
    { name: 'all.kml', content: kml() },
    { name: 'all.kmz', content: zipOfFiles({ 'doc.kml': kml() }) },
    { name: 'all.gml', content: gml() },
    { name: 'wfs.xml', content: wfs() },
    { name: 'all.gpx', content: gpx(), kinds: ['Point', 'LineString'], attributes: ['name'] },
  ];
}

async function inFolder(write: (folder: string) => Promise<string>): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-formats-'));
  try {
    return await readFile(await write(folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function topoJson(): string {
  const geometries = places.map((place, arc) => {
    const { kind: type, positions, properties } = place;
    if (type === 'Point') return { type, properties, coordinates: positions[0] };
    return { type, properties, arcs: type === 'Polygon' ? [[arc]] : [arc] };
  });
  const arcs = places.map(({ positions: [first, ...others] }) => [
    first,
    ...others,
    ...(others.length ? [] : [first]),
  ]);
  return JSON.stringify({
    type: 'Topology',
    arcs,
    objects: { all: { type: 'GeometryCollection', geometries } },
  });
}

async function flatGeobuf(folder: string): Promise<string> {
  const path = join(folder, `all.${flatgeobufFormat.name}`);
  const writer = createFlatGeobufWriter({ scratchFolder: folder, name: 'all' });
  for (const { kind, positions, properties } of places)
    writer.add(makeFeature(properties, kind, [[positions]]));
  await writer.finish(path);
  return path;
}

async function geoPackage(folder: string): Promise<string> {
  const path = join(folder, 'all.gpkg');
  const database = createGeoPackage(path);
  addLayer(database, { table: 'all', columns: 'name text, count integer, height real, open boolean' });
  const rows = places.map((place, i) => {
    const { name, count, height, open } = place.properties;
    return [i + 1, encodeGeometry(geometryOf(place)), name, count, height, open ? 1 : 0];
  });
  insertRows(database, 'all', rows);
  database.close();
  return path;
}

/** One for each kind; polygons clockwise, as ESRI wants them. */
function shapefiles(): Record<string, Buffer | string> {
  const files: Record<string, Buffer | string> = {};
  const shapes: Record<Kind, (place: Place) => Shape> = {
    Point: ({ positions }) => ({ type: 1, points: positions }),
    LineString: ({ positions }) => ({ type: 3, parts: [[...positions]] }),
    Polygon: ({ positions }) => ({ type: 5, parts: [positions.toReversed()] }),
  };
  const fields = [
    { name: 'name', type: 'C', length: 20 },
    { name: 'count', type: 'N', length: 6 },
    { name: 'height', type: 'N', length: 10, decimals: 2 },
    { name: 'open', type: 'L', length: 1 },
  ];
  for (const kind of kinds) {
    const { shp, shx } = encodeShp(ofKind(kind).map(shapes[kind]));
    const rows = ofKind(kind).map(({ properties: { name, count, height, open } }) => [
      padded(name, 20),
      String(count).padStart(6),
      height.toFixed(2).padStart(10),
      open ? 'T' : 'F',
    ]);
    const parts = { shp, shx, dbf: encodeDbf({ fields, rows }), cpg: 'UTF-8', prj: 'GEOGCS["WGS 84"]' };
    for (const [ending, part] of Object.entries(parts)) files[`${kind}.${ending}`] = part;
  }
  return files;
}

function padded(text: string, bytes: number): Buffer {
  const all = Buffer.alloc(bytes, ' ');
  all.write(text);
  return all;
}

function csv(): string {
  const rows = ofKind('Point').map(({ positions: [at], properties: { name, count, height, open } }) =>
    [at!.join(';'), `"${name}"`, count, height, open].join(';').replaceAll('.', ','),
  );
  return `lon;lat;name;count;height;open\r\n${rows.join('\r\n')}\r\n`;
}

function csvOfWkt(): string {
  const between = { Point: ['(', ')'], LineString: ['(', ')'], Polygon: ['((', '))'] };
  const rows = places.map(({ kind, positions, properties: { name, count, height, open } }) => {
    const [before, after] = between[kind];
    const wkt = kind.toUpperCase() + before + positions.map((at) => at.join(' ')).join(', ') + after;
    return [`"${wkt}"`, `"${name}"`, count, height, open].join(',');
  });
  return `geometry,name,count,height,open\n${rows.join('\n')}\n`;
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const xml = '<?xml version="1.0" encoding="UTF-8"?>\n';

function kml(): string {
  const wrap: Record<Kind, (coordinates: string) => string> = {
    Point: (all) => `<Point>${all}</Point>`,
    LineString: (all) => `<LineString>${all}</LineString>`,
    Polygon: (all) => `<Polygon><outerBoundaryIs><LinearRing>${all}</LinearRing></outerBoundaryIs></Polygon>`,
  };
  const marks = places.map(({ kind, positions, properties: { name, count, height, open } }) => {
    const data = Object.entries({ count, height, open }).map(
      ([field, value]) => `<SimpleData name="${field}">${value}</SimpleData>`,
    );
    const coordinates = `<coordinates>${positions.map((at) => `${at.join(',')},0`).join('\n')}</coordinates>`;
    return `<Placemark><name>${escape(name)}</name><ExtendedData><SchemaData schemaUrl="#s">${data.join('')}</SchemaData></ExtendedData>${wrap[kind](coordinates)}</Placemark>`;
  });
  const schema =
    '<Schema name="s" id="s"><SimpleField type="int" name="count"/><SimpleField type="double" name="height"/><SimpleField type="bool" name="open"/></Schema>';
  return `${xml}<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${schema}${marks.join('')}</Document></kml>`;
}

/** @param list positions as the axis order wants them */
function gmlMember(
  { kind, positions, properties }: Place,
  number: number,
  order: 'lonLat' | 'latLon',
): string {
  const [srs, list] =
    order === 'latLon'
      ? ['urn:ogc:def:crs:EPSG::4326', positions.map(([lon, lat]) => `${lat} ${lon}`).join(' ')]
      : ['urn:ogc:def:crs:OGC:1.3:CRS84', positions.flat().join(' ')];
  const about = `gml:id="g${number}" srsName="${srs}"`;
  const geometry = {
    Point: `<gml:Point ${about}><gml:pos>${list}</gml:pos></gml:Point>`,
    LineString: `<gml:LineString ${about}><gml:posList>${list}</gml:posList></gml:LineString>`,
    Polygon: `<gml:Polygon ${about}><gml:exterior><gml:LinearRing><gml:posList>${list}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>`,
  }[kind];
  const values = Object.entries(properties).map(
    ([field, value]) => `<a:${field}>${escape(String(value))}</a:${field}>`,
  );
  return `<a:all gml:id="f${number}">${values.join('')}<a:at>${geometry}</a:at></a:all>`;
}

const namespaces = 'xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:a="http://example.org/a"';

function gml(): string {
  const members = places.map(
    (place, i) => `<gml:featureMember>${gmlMember(place, i, 'lonLat')}</gml:featureMember>`,
  );
  return `${xml}<gml:FeatureCollection ${namespaces} gml:id="c">${members.join('\n')}</gml:FeatureCollection>`;
}

function wfs(): string {
  const members = places.map((place, i) => `<wfs:member>${gmlMember(place, i, 'latLon')}</wfs:member>`);
  return `${xml}<wfs:FeatureCollection ${namespaces} xmlns:wfs="http://www.opengis.net/wfs/2.0" numberReturned="${places.length}">${members.join('\n')}</wfs:FeatureCollection>`;
}

function gpx(): string {
  const point = (tag: string, [lon, lat]: Position, more = '') =>
    `<${tag} lat="${lat}" lon="${lon}">${more}</${tag}>`;
  const nameOf = ({ properties: { name } }: Place) => `<name>${escape(name)}</name>`;
  const waypoints = ofKind('Point').map((place) => point('wpt', place.positions[0]!, nameOf(place)));
  const tracks = ofKind('LineString').map((place) => {
    const points = place.positions.map((at) => point('trkpt', at)).join('');
    return `<trk>${nameOf(place)}<trkseg>${points}</trkseg></trk>`;
  });
  return `${xml}<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">${waypoints.join('')}${tracks.join('')}</gpx>`;
}
