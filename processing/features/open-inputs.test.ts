import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { encodeShp } from '@platen/formats/shapefile/testing';
import { JobFailure, type JobInput } from '../job-type.ts';
import { readFeatures } from './read-features.ts';
import { geoPackage, named, shapefile, utm32, type Files, type Place } from './testing-uploads.ts';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { afterFile } from '../../checks/clean-up.ts';

const root = await mkdtemp(join(tmpdir(), 'platen-open-inputs-'));
afterFile(() => rm(root, { recursive: true }));
let folders = 0;

/** A member of a folder has a slash in its name; the input is then that folder. */
type Options = Pick<JobInput, 'layer' | 'crs' | 'encoding'>;

interface Row {
  readonly file: string;
  readonly layer: string | undefined;
  readonly at: readonly number[];
  readonly properties: Record<string, unknown>;
}

/** Every feature of files that were uploaded, with its first position. */
async function read(files: Files, options: Options = {}): Promise<{ rows: Row[]; warnings: string[] }> {
  const folder = join(root, String(folders++));
  const scratchFolder = join(folder, 'scratch');
  await mkdir(scratchFolder, { recursive: true });
  const names = new Set<string>();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
    names.add(name.split('/')[0]!);
  }
  const inputs: JobInput[] = [];
  for (const name of names)
    inputs.push({
      path: join(folder, name),
      name,
      size: (await stat(join(folder, name))).size || 1,
      ...options,
    });
  const rows: Row[] = [];
  const warnings: string[] = [];
  await readFeatures(
    {
      inputs,
      scratchFolder,
      outputFolder: folder,
      signal: new AbortController().signal,
      progress: (_phase, done, total) => assert.ok(done <= total),
      log: () => {},
      warn: (code) => void warnings.push(code),
      reject: (code) => void warnings.push(code),
    },
    ({ file, layer }) =>
      ({ geometry, properties }) =>
        void rows.push({
          file,
          layer,
          at: [...geometry.coordinates.subarray(0, 2)],
          properties: { ...properties },
        }),
    1e6,
  );
  return { rows, warnings };
}

async function failure(files: Files, options: Options = {}): Promise<JobFailure> {
  const error = await read(files, options).catch((caught: unknown) => caught);
  assert.ok(error instanceof JobFailure, String(error));
  return error;
}

/** Within a tenth of a metre or so. */
function assertAt({ at }: Row, [lon, lat]: Place, what: string): void {
  const isThere = Math.abs(at[0]! - lon) < 1e-6 && Math.abs(at[1]! - lat) < 1e-6;
  assert.ok(isThere, `${what}: ${at.join()} instead of ${lon},${lat}`);
}

const geojson = (coordinates: readonly number[], crs?: string) =>
  JSON.stringify({
    type: 'FeatureCollection',
    ...(crs !== undefined && { crs: { type: 'name', properties: { name: crs } } }),
    features: [{ type: 'Feature', properties: { name: 'g' }, geometry: { type: 'Point', coordinates } }],
  });
const gml = (srsName: string, position: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:a="http://example.org/a"><wfs:member><a:Place gml:id="p"><a:name>g</a:name><a:at><gml:Point srsName="${srsName}" gml:id="q"><gml:pos>${position}</gml:pos></gml:Point></a:at></a:Place></wfs:member></wfs:FeatureCollection>`;

test('the loose files of shapefiles that were uploaded together are put together', async () => {
  const { rows, warnings } = await read({
    ...shapefile('Roads', [8, 47]),
    ...shapefile('places', [9, 48]),
    'lon.csv': 'lon,lat,name\n7,46,c\n',
  });
  assert.deepEqual(
    rows.map(({ file, at, properties }) => [file, at, properties]),
    [
      ['Roads.shp', [8, 47], { name: 'Roads' }],
      ['places.shp', [9, 48], { name: 'places' }],
      ['lon.csv', [7, 46], { name: 'c' }],
    ],
  );
  assert.deepEqual(warnings, []);
});

test('a .shp alone yields its geometry, with warnings about the missing files', async () => {
  const { shp } = encodeShp([{ type: 1, points: [[8, 47]] }]);
  const { rows, warnings } = await read({ 'roads.shp': shp });
  assert.deepEqual(rows, [{ file: 'roads.shp', layer: undefined, at: [8, 47], properties: {} }]);
  assert.deepEqual(new Set(warnings), new Set(['missingAttributes', 'missingCrs']));
});

test('a folder is read like the zip of its files, and other files in it are ignored', async () => {
  const { rows, warnings } = await read({
    ...shapefile('folder/inner/roads', [8, 47]),
    'folder/places.csv.gz': gzipSync('lon,lat,name\n7,46,c\n'),
    'folder/readme.txt': 'Read this first.\n',
  });
  assert.deepEqual(
    rows.map(({ file, at, properties }) => [file, at, properties['name']]),
    [
      ['folder/inner/roads.shp', [8, 47], 'roads'],
      ['folder/places.csv', [7, 46], 'c'],
    ],
  );
  assert.deepEqual(warnings, []);
});

test('a zip file can contain several shapefiles with different CRSs', async () => {
  const { rows } = await read({
    'both.zip': zipOfFiles({
      ...shapefile('a/roads', [8, 47]),
      ...shapefile('b/roads', [691_567.3264, 5_334_734.3304], { prj: utm32 }),
    }),
  });
  assert.deepEqual(
    rows.map(({ file }) => file),
    ['both.zip/a/roads.shp', 'both.zip/b/roads.shp'],
  );
  assertAt(rows[0]!, [8, 47], 'a');
  assertAt(rows[1]!, munich, 'b');
});

test('all layers of a GeoPackage are read, or only the chosen one', async () => {
  const content = await geoPackage(['roads', [8, 47]], ['Straßen "neu"', [9, 48]]);
  const layersOf = async (options: Options) =>
    (await read({ 'town.gpkg': content }, options)).rows.map(({ layer, properties }) => [
      layer,
      properties['name'],
    ]);
  assert.deepEqual(await layersOf({}), [
    ['roads', 'roads'],
    ['Straßen "neu"', 'Straßen "neu"'],
  ]);
  assert.deepEqual(await layersOf({ layer: 'Straßen "neu"' }), [['Straßen "neu"', 'Straßen "neu"']]);
  const { code, message } = await failure({ 'town.gpkg': content }, { layer: 'rivers' });
  assert.equal(code, 'noSuchLayer');
  assert.match(message, /^town\.gpkg has no layer "rivers"\. Its layers are "roads", "Straßen "neu""\.$/);
});

test('the layer option of an input renames the only layer of a file', async () => {
  const content = await geoPackage(['roads', [8, 47]]);
  const { rows } = await read({ 'town.gpkg': content }, { layer: 'ways' });
  assert.deepEqual([rows.length, rows[0]!.layer], [1, 'ways']);
});

// As in formats/crs/known-places.test.ts: PROJ 9.5.1, without grids.
const munich = [11.575, 48.137] as const;
const munichUtm32 = [691_567.3264, 5_334_734.3304] as const;
const munichGaussKrueger = [4_468_476.0269, 5_333_305.9964] as const;

test('features are in the right place whatever CRS a file names', async () => {
  const reversed = ([x, y]: Place) => `${y} ${x}`;
  const files: Files = {
    'utm.gpkg': await geoPackage(['a', munichUtm32, 25832]),
    'gk.gpkg': await geoPackage(['a', munichGaussKrueger, 31468]),
    // The axis order of EPSG does not count in GeoPackage: OGC 12-128r19, clause 2.1.3.1.1.
    'degrees.gpkg': await geoPackage(['a', munich]),
    'utm.zip': zipOfFiles(shapefile('utm', munichUtm32, { prj: utm32 })),
    'utm.geojson': geojson(munichUtm32, 'urn:ogc:def:crs:EPSG::25832'),
    'gk.geojson': geojson(munichGaussKrueger, 'EPSG:31468'),
    'late.geojson': geojson(munichUtm32).replace(
      /}$/,
      ',"crs":{"properties":{"name":"EPSG:25832"},"type":"name"}}',
    ),
    'degrees.geojson': geojson(munich, 'urn:ogc:def:crs:OGC:1.3:CRS84'),
    'utm.gml': gml('urn:ogc:def:crs:EPSG::25832', munichUtm32.join(' ')),
    'gk.gml': gml('EPSG:31468', munichGaussKrueger.join(' ')),
    'gk-northing-first.gml': gml('urn:ogc:def:crs:EPSG::31468', reversed(munichGaussKrueger)),
    'degrees-lat-first.gml': gml('http://www.opengis.net/def/crs/EPSG/0/4326', reversed(munich)),
    'degrees-lon-first.gml': gml('EPSG:4326', munich.join(' ')),
    'utm.csv': `wkt,name\nSRID=25832;POINT(${munichUtm32.join(' ')}),c\n`,
  };
  for (const [name, content] of Object.entries(files)) {
    const { rows, warnings } = await read({ [name]: content });
    assert.equal(rows.length, 1, name);
    assertAt(rows[0]!, munich, name);
    // The grid of Germany is not part of the registry.
    assert.deepEqual(warnings, name.startsWith('gk') ? ['missingGrid'] : [], name);
  }
});

test('the CRS of an input takes precedence over that of its file', async () => {
  const { prj: _prj, ...withoutPrj } = shapefile('utm', munichUtm32);
  const files: Files = {
    'wrong.geojson': geojson(munichUtm32, 'EPSG:25833'),
    'none.geojson': geojson(munichUtm32),
    'wrong.gpkg': await geoPackage(['a', munichUtm32, 4326]),
    'wrong.gml': gml('EPSG:25833', munichUtm32.join(' ')),
    'wrong.zip': zipOfFiles(withoutPrj),
    'columns.csv': `x;y;name\n${munichUtm32.join(';').replaceAll('.', ',')};c\n`,
  };
  for (const [name, content] of Object.entries(files)) {
    const { rows } = await read({ [name]: content }, { crs: 'EPSG:25832' });
    assertAt(rows[0]!, munich, name);
  }
  const { rows } = await read({ 'again.geojson': geojson(munich, 'EPSG:25832') }, { crs: 'OGC:CRS84' });
  assertAt(rows[0]!, munich, 'degrees after all');
});

test('each layer of a GeoPackage has its own CRS', async () => {
  const content = await geoPackage(['degrees', munich], ['metres', munichUtm32, 25832]);
  const { rows } = await read({ 'two.gpkg': content });
  assert.deepEqual(
    rows.map(({ layer }) => layer),
    ['degrees', 'metres'],
  );
  for (const row of rows) assertAt(row, munich, row.layer!);
});

test('features outside the area of their CRS are warned of, and kept', async () => {
  // Of zone 33, where zone 32 was written, it is still within the margin; of New Zealand it is not.
  const { rows, warnings } = await read({ 'far.geojson': geojson([1_747_371, 15_427_555], 'EPSG:25832') });
  assert.equal(rows.length, 1);
  assert.deepEqual(warnings, ['outsideCrsArea']);
});

test('an unknown CRS fails with the name of the file', async () => {
  for (const [files, options] of [
    [{ 'a.geojson': geojson([1, 2], 'EPSG:99999999') }, {}],
    [{ 'a.geojson': geojson([1, 2]) }, { crs: 'Wonderland' }],
    [{ 'a.gml': gml('urn:ogc:def:crs:EPSG::99999999', '1 2') }, {}],
    [{ 'a.gpkg': await geoPackage(['a', [1, 2], 99_999_999]) }, {}],
    [{ 'a.zip': zipOfFiles(shapefile('a', [1, 2], { prj: 'PROJCS["nonsense"]' })) }, {}],
  ] as const) {
    const { code, message } = await failure(files, options);
    const [name] = Object.keys(files);
    assert.equal(code, 'unknownCrs', `${name}: ${code}: ${message}`);
    assert.ok(message.startsWith(name!), message);
  }
});

test('texts are read in the character set that the file says, or that was said of it', async () => {
  const cp1252 = Buffer.from('Größe €'.replace('€', '\x80'), 'latin1');
  const cp437 = Buffer.from([0x47, 0x72, 0x94, 0xe1, 0x65]);
  const nameOf = async (files: Files, options: Options = {}) =>
    (await read(files, options)).rows[0]!.properties['name'];
  const zipped = (more: Files) => ({ 'a.zip': zipOfFiles(shapefile('a', [1, 2], more)) });
  assert.equal(await nameOf(zipped({ dbf: named(cp1252), cpg: 'ANSI 1252' })), 'Größe €');
  assert.equal(await nameOf(zipped({ dbf: named('Größe'.normalize()), cpg: 'ISO-8859-1' })), 'Größe');
  assert.equal(await nameOf(zipped({ dbf: named(Buffer.from('Größe')), cpg: 'UTF-8' })), 'Größe');
  const said = await nameOf(zipped({ dbf: named(cp437), cpg: 'UTF-8' }), { encoding: 'IBM437' });
  assert.equal(said, 'Größe');
  const csv = Buffer.concat([Buffer.from('lon,lat,name\n1,2,'), cp1252, Buffer.from('\n')]);
  assert.equal(await nameOf({ 'a.csv': csv }), 'Größe €');
  assert.equal(await nameOf({ 'a.csv': csv }, { encoding: 'windows-1250' }), 'Größe €');
  const utf16 = Buffer.from('\ufefflon;lat;name\n1;2;Größe €\n', 'utf16le');
  assert.equal(await nameOf({ 'a.csv': utf16 }), 'Größe €');
  const { code, message } = await failure({ 'a.csv': csv }, { encoding: 'klingon' });
  assert.equal(code, 'unknownEncoding');
  assert.match(message, /^a\.csv.*klingon/);
});
