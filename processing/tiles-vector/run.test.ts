import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { PMTiles } from 'pmtiles';
import { findJobSpec } from '../catalog.ts';
import type { RejectedFeature } from '../rejects.ts';
import { runs } from '../runs.ts';
import { runTilesVector } from './run.ts';
import { cities, collection, feature, point, setUpTiler } from './testing-tiler.ts';

const { failure, run } = await setUpTiler();

test('a FeatureCollection becomes an archive that other readers read, with its layer, fields and bounds', async () => {
  const { result, path, phases, tile, warnings } = await run(collection(cities), { tiling: { maxZoom: 6 } });
  assert.deepEqual([...warnings.keys()], []);
  assert.ok(phases.has('read') && phases.has('cut') && phases.has('write'));
  const file = await open(path);
  const reference = new PMTiles({
    getKey: () => path,
    getBytes: async (offset, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
      return { data: buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + bytesRead) as ArrayBuffer };
    },
  });
  const header = await reference.getHeader();
  assert.deepEqual([header.minZoom, header.maxZoom], [0, 6]);
  assert.ok(Math.abs(header.minLon - 9.993) < 1e-6 && Math.abs(header.maxLat - 53.551) < 1e-6);
  const metadata = (await reference.getMetadata()) as Record<string, unknown>;
  assert.equal(metadata['name'], 'places');
  assert.deepEqual(metadata['vector_layers'], [
    {
      id: 'places',
      description: '',
      minzoom: 0,
      maxzoom: 6,
      fields: {
        name: 'String',
        inhabitants: 'Number',
        capital: 'Boolean',
        river: 'String',
        depth: 'Number',
        id: 'String',
      },
    },
  ]);
  const whole = await reference.getZxy(0, 0, 0);
  assert.equal(new VectorTile(new PbfReader(new Uint8Array(whole!.data))).layers['places']!.length, 3);
  await file.close();

  const [berlin] = (await tile(6, 34, 20))['places']!;
  assert.deepEqual({ ...berlin!.properties }, { name: 'Berlin', inhabitants: 3_677_472, capital: true });
  assert.equal(berlin!.id, 1);
  const all = (await tile(0, 0, 0))['places']!;
  assert.deepEqual(
    { ...all[1]!.properties },
    { name: 'Hamburg', inhabitants: 1_906_411, capital: false, river: '{"name":"Elbe"}' },
  );
  assert.deepEqual(
    { ...all[2]!.properties },
    { name: 'München', inhabitants: 1_487_708.5, capital: false, depth: -12, id: 'munich' },
  );
  assert.ok(all[2]!.id! > 2 ** 32, 'a hash of the text');
  const { datasource } = result;
  assert.ok(datasource);
  assert.deepEqual(
    [
      datasource.type,
      datasource.path,
      (datasource.properties['vectorLayers'] as { id: string }[]).map(({ id }) => id),
    ],
    ['vectortiles', 'tiles.pmtiles', ['places']],
  );
  assert.equal(datasource.properties['featureCount'], 3);
});

test('newline-delimited, sequence, gzip and byte order mark give the same tiles as the collection', async () => {
  const lines = cities.map((city) => JSON.stringify(city));
  const options = { tiling: { maxZoom: 8 }, modelOptions: { layerName: 'x' }, output: { name: 'x' } };
  const wanted = await readFile((await run(collection(cities), options)).path);
  for (const content of [
    lines.join('\n'),
    lines.map((text) => `\u001e${text}\n`).join(''),
    gzipSync(lines.join('\n')),
    `\ufeff${lines.join('\r\n')}\r\n`,
  ]) {
    assert.ok((await readFile((await run(content, options)).path)).equals(wanted));
  }
});

test('Web Mercator coordinates give the same tiles, whether the CRS precedes the features, follows them or is an option', async () => {
  const half = 20_037_508.342789244;
  const mercator = cities.map((city) => {
    const { geometry, ...rest } = city as { geometry: { coordinates: [number, number] } };
    const [lon, lat] = geometry.coordinates;
    const y = (Math.log(Math.tan(((90 + lat) * Math.PI) / 360)) / Math.PI) * half;
    return { ...rest, geometry: { type: 'Point', coordinates: [(lon / 180) * half, y] } };
  });
  const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::3857' } };
  const options = { tiling: { maxZoom: 8 } };
  const wanted = await readFile((await run(collection(cities), options)).path);
  assert.deepEqual(await readFile((await run(collection(mercator, { crs }), options)).path), wanted);
  const late = JSON.stringify({ type: 'FeatureCollection', features: mercator, crs });
  const { path, result } = await run(late, options);
  assert.deepEqual(await readFile(path), wanted);
  assert.equal(result.datasource?.properties['featureCount'], 3);
  const forced = await run(collection(mercator), options, { input: { crs: 'EPSG:3857' } });
  assert.deepEqual(await readFile(forced.path), wanted);
});

test('input that cannot become tiles fails with a code, the file and the place', async () => {
  assert.equal((await failure('')).code, 'emptyInput');
  assert.equal((await failure(collection([]))).code, 'emptyInput');
  assert.equal((await failure(collection([feature(null)]))).code, 'nothingUsable');
  const broken = await failure(
    `{"type":"FeatureCollection","features":[${JSON.stringify(cities[0])},\n{"type":"Feature","geometry":{"type":"Point","coordinates":[1,}`,
  );
  assert.equal(broken.code, 'brokenJson');
  assert.match(broken.message, /line 2, byte \d+, feature 2/);
  const crs = { type: 'name', properties: { name: 'EPSG:999999' } };
  const foreign = await failure(collection(cities, { crs }));
  assert.equal(foreign.code, 'unknownCrs');
  assert.match(foreign.message, /999999/);
  const late = {
    features: cities,
    more: 'x'.repeat(5000),
    crs: { type: 'name', properties: { name: 'EPSG:25833' } },
  };
  const tooLate = await failure(JSON.stringify({ type: 'FeatureCollection', ...late }));
  assert.match(tooLate.message, /EPSG:25833.*enter the CRS at the input/);
  const metres = await failure(collection([point(391_000, 5_820_000), point(392_000, 5_821_000)]));
  assert.equal(metres.code, 'nothingUsable');
  assert.match(metres.message, /look like EPSG:25832 .*enter the CRS at the input/);
  const swapped = await failure(collection([point(35, 139.7), point(-33.9, 151.2), point(43, 141.3)]));
  assert.match(swapped.message, /latitude before longitude/);
  assert.equal(
    (await failure(collection([feature({ type: 'Point', coordinates: [[1, 2]] })]))).code,
    'nothingUsable',
  );
  assert.equal((await failure(gzipSync(collection(cities)).subarray(0, 60))).code, 'brokenGzip');
  assert.equal((await failure('{"type":"Banana"}')).code, 'notRecognised');
});

test('invalid features are skipped, counted and named, and the rest becomes tiles', async () => {
  const lines = [
    point(1, 1, { size: 1 }),
    feature({
      type: 'Polygon',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    }),
    feature({ type: 'LineString', coordinates: [[1, 2]] }),
    point(1e9, 0),
    point(2, 2, { size: 'large' }),
    point(3, 3, { size: true }),
    point(4, 4),
    feature(null),
  ].map((line) => JSON.stringify(line));
  const options = { tiling: { maxZoom: 0 } };
  const { result, warnings, tile } = await run(lines.join('\n'), options);
  assert.equal(result.datasource?.properties['featureCount'], 4);
  assert.equal((await tile(0, 0, 0))['places']!.length, 4);
  const places = (code: string) =>
    warnings.get(code)?.map(({ example }) => (example as RejectedFeature).place.line);
  assert.deepEqual(places('invalidGeometry'), [2, 3]);
  assert.deepEqual(places('invalidCoordinates'), [4]);
  assert.equal(warnings.get('mixedTypes')?.length, 1);
});

test('attributes are chosen, ids taken from an attribute, and the layer named', async () => {
  const { tile } = await run(collection([point(1, 1, { key: '77', keep: 1, drop: 2 })]), {
    tiling: { maxZoom: 0 },
    modelOptions: { layerName: 'chosen', exclude: ['drop'], idProperty: 'key' },
  });
  const [only] = (await tile(0, 0, 0))['chosen']!;
  assert.equal(only!.id, 77);
  assert.deepEqual({ ...only!.properties }, { key: '77', keep: 1 });
});

test('members of a GeometryCollection become separate features with the same attributes', async () => {
  const geometry = {
    type: 'GeometryCollection',
    geometries: [
      { type: 'Point', coordinates: [1, 1] },
      {
        type: 'GeometryCollection',
        geometries: [
          {
            type: 'LineString',
            coordinates: [
              [0, 0],
              [50, 50],
            ],
          },
        ],
      },
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [50, 0],
            [50, 50],
            [0, 0],
          ],
        ],
      },
    ],
  };
  const { tile } = await run(collection([feature(geometry, { a: 1 })]), { tiling: { maxZoom: 0 } });
  const features = (await tile(0, 0, 0))['places']!;
  assert.deepEqual(
    features.map(({ type, properties }) => [type, properties['a']]),
    [
      [1, 1],
      [2, 1],
      [3, 1],
    ],
  );
});

test('the catalogue finds the job type under any prefix, and its run', async () => {
  for (const name of ['platenTilesVector', 'xyTilesVector', 'a1TilesVector', 'TilesVector']) {
    assert.equal(findJobSpec(name)?.name, 'TilesVector', name);
  }
  for (const name of [
    '',
    'tilesvector',
    'PlatenTilesVector',
    '1TilesVector',
    'platen-TilesVector',
    'toString',
    'xToString',
  ]) {
    assert.equal(findJobSpec(name), undefined, name);
  }
  assert.equal(await runs['TilesVector']!(), runTilesVector);
});

const samples = process.env['PLATEN_SAMPLE_DATA'] ?? join(import.meta.dirname, '../../../shared/data');
const andorra = join(samples, 'vector/andorra.geojsonl.gz');

test(
  'every feature of a real extract is in the tiles of the highest zoom',
  { skip: existsSync(andorra) ? false : `SKIPPED: no sample data at ${andorra}; set PLATEN_SAMPLE_DATA` },
  async () => {
    const lines = gunzipSync(await readFile(andorra))
      .toString()
      .trim()
      .split('\n');
    const text = lines.map((line, id) => JSON.stringify({ ...(JSON.parse(line) as object), id })).join('\n');
    const { archive, path, result } = await run(text, { tiling: { minZoom: 13, maxZoom: 14, buffer: 0 } });
    const bytes = await readFile(path);
    const found = new Set<number>();
    const [west, south, east, north] = result.datasource!.bbox!;
    const side = 2 ** 14;
    const row = (lat: number) =>
      Math.floor((0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / 2 / Math.PI) * side);
    for (let x = Math.floor((west / 360 + 0.5) * side); x <= Math.floor((east / 360 + 0.5) * side); x++) {
      for (let y = row(north); y <= row(south); y++) {
        const range = await archive.findTile(14, x, y);
        if (range === undefined) continue;
        const tile = new VectorTile(
          new PbfReader(gunzipSync(bytes.subarray(range.offset, range.offset + range.length))),
        );
        const layer = tile.layers['places']!;
        for (let i = 0; i < layer.length; i++) found.add(layer.feature(i).id!);
      }
    }
    assert.equal(found.size, lines.length);
  },
);
