import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { readGeoJson } from './read-geojson.ts';
import { createGeoJsonWriter, type GeoJsonWriterOptions } from './write-geojson.ts';
import { afterFile } from '../../checks/clean-up.ts';

const root = await mkdtemp(join(tmpdir(), 'platen-write-geojson-'));
afterFile(() => rm(root, { recursive: true }));
let files = 0;

type Position = readonly number[];
interface Geometry {
  type: string;
  coordinates?: unknown;
  geometries?: Geometry[];
}
interface GeoJson {
  type: string;
  features: { type: string; id?: unknown; properties: unknown; geometry: Geometry | null }[];
  bbox?: number[];
}

async function rewrite(text: string, options: Partial<GeoJsonWriterOptions> = {}): Promise<string> {
  const path = join(root, `${files++}.geojson`);
  const writer = createGeoJsonWriter(path, { isNewlineDelimited: false, decimals: 7, ...options });
  const chunks = (async function* () {
    yield new TextEncoder().encode(text);
  })();
  await readGeoJson(chunks, (feature) => void writer.add(feature), { maxFeatureBytes: 2 ** 24 });
  writer.finish();
  return readFile(path, 'utf8');
}

const featureOf = (geometry: unknown, more: object = {}) =>
  JSON.stringify({ type: 'Feature', properties: {}, geometry, ...more });

async function rewriteGeometry(geometry: unknown): Promise<Geometry | null> {
  const { features } = JSON.parse(await rewrite(featureOf(geometry))) as GeoJson;
  return features[0]?.geometry ?? null;
}

const square: Position[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [0, 0],
];
const hole: Position[] = [
  [0.2, 0.2],
  [0.2, 0.8],
  [0.8, 0.8],
  [0.2, 0.2],
];

test('every kind of geometry is written without change', async () => {
  const line = [
    [0, 0],
    [1.5, -2.25],
  ];
  const geometries: Geometry[] = [
    { type: 'Point', coordinates: [9.5, 47.25] },
    { type: 'MultiPoint', coordinates: [...line, [3, 3]] },
    { type: 'LineString', coordinates: line },
    {
      type: 'MultiLineString',
      coordinates: [
        line,
        [
          [5, 5],
          [6, 6],
          [7, 5],
        ],
      ],
    },
    { type: 'Polygon', coordinates: [square, hole] },
    { type: 'MultiPolygon', coordinates: [[square, hole], [square.map(([x, y]) => [x! + 5, y!])]] },
  ];
  for (const geometry of geometries) assert.deepEqual(await rewriteGeometry(geometry), geometry);
  const all = { type: 'GeometryCollection', geometries };
  assert.deepEqual(await rewriteGeometry(all), all);
});

test('rings are turned as RFC 7946 wants them, and closed', async () => {
  const turned = [square.toReversed(), hole.toReversed()];
  const right = { type: 'Polygon', coordinates: [square, hole] };
  assert.deepEqual(await rewriteGeometry({ type: 'Polygon', coordinates: turned }), right);
  const open = [square.slice(0, -1), hole.toReversed().slice(0, -1)];
  assert.deepEqual(await rewriteGeometry({ type: 'Polygon', coordinates: open }), right);
});

test('lines and rings with too few positions are dropped, and features without a remaining geometry', async () => {
  const two = [
    [0, 0],
    [1, 1],
  ];
  assert.equal(await rewriteGeometry(null), null);
  assert.equal(await rewriteGeometry({ type: 'LineString', coordinates: [[0, 0]] }), null);
  assert.equal(await rewriteGeometry({ type: 'Polygon', coordinates: [two, hole] }), null);
  assert.deepEqual(await rewriteGeometry({ type: 'Polygon', coordinates: [square, two] }), {
    type: 'Polygon',
    coordinates: [square],
  });
  assert.deepEqual(await rewriteGeometry({ type: 'MultiPolygon', coordinates: [[two], [square]] }), {
    type: 'MultiPolygon',
    coordinates: [[square]],
  });
  assert.deepEqual(await rewriteGeometry({ type: 'MultiLineString', coordinates: [[[0, 0]], two] }), {
    type: 'MultiLineString',
    coordinates: [two],
  });
});

test('coordinates are rounded, and have neither an exponent nor zeros at the end', async () => {
  const numbers = fc.double({ min: -540, max: 540, noNaN: true });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(numbers, numbers), { minLength: 2 }),
      fc.nat(9),
      async (line, decimals) => {
        const text = await rewrite(featureOf({ type: 'LineString', coordinates: line }), { decimals });
        const { features } = JSON.parse(text) as GeoJson;
        const written = features[0]!.geometry!.coordinates as number[][];
        for (const [i, position] of line.entries()) {
          for (const [axis, value] of position.entries()) {
            const error = Math.abs(written[i]![axis]! - value);
            assert.ok(error <= 0.5 * 10 ** -decimals + 1e-12, `${value} became ${written[i]![axis]}`);
          }
        }
        const numerals = text.match(/"coordinates":\[([^"]*)\]\}/)![1]!.match(/[^[\],]+/g)!;
        for (const numeral of numerals) assert.match(numeral, /^(0|-?[1-9]\d*|-?(0|[1-9]\d*)\.\d*[1-9])$/);
      },
    ),
    { seed: 5, numRuns: 300 },
  );
  const exactly = async (coordinates: Position) =>
    JSON.stringify((await rewriteGeometry({ type: 'Point', coordinates }))!.coordinates);
  assert.equal(await exactly([1e-8, -1e-7]), '[0,-1e-7]');
  assert.match(await rewrite(featureOf({ type: 'Point', coordinates: [-0, -1e-7] })), /\[0,-0\.0000001\]/);
  assert.equal(await exactly([179.99999999, -89.9999999]), '[180,-89.9999999]');
});

test('a collection has its bbox at its end, ids and properties as they were, and no feature without a geometry', async () => {
  const properties = { name: 'Zürich "\n\ud800', list: [1, { a: null }], yes: true, none: null };
  const point = (x: number, y: number, more: object) =>
    featureOf({ type: 'Point', coordinates: [x, y] }, { properties, ...more });
  const text = await rewrite(
    [point(9, 47, { id: 7 }), point(-3, 50, { id: 'a"b' }), featureOf(null)].join('\n'),
  );
  const { type, features, bbox } = JSON.parse(text) as GeoJson;
  assert.equal(type, 'FeatureCollection');
  assert.deepEqual(bbox, [-3, 47, 9, 50]);
  assert.deepEqual(
    features.map(({ id }) => id),
    [7, 'a"b'],
  );
  assert.deepEqual(features[0]!.properties, JSON.parse(JSON.stringify(properties)));
});

test('a file without features is a valid collection, or empty', async () => {
  const empty = '{"type":"FeatureCollection","features":[]}';
  assert.deepEqual(JSON.parse(await rewrite(empty)), JSON.parse(empty));
  assert.equal(await rewrite(empty, { isNewlineDelimited: true }), '');
});

test('newline-delimited, each line is a feature', async () => {
  const given = Array.from({ length: 3000 }, (_, i) =>
    featureOf(
      { type: 'Point', coordinates: [i / 100, -i / 100] },
      { properties: { text: '日本'.repeat(50) } },
    ),
  );
  const text = await rewrite(given.join('\n'), { isNewlineDelimited: true });
  const lines = text.split('\n');
  assert.equal(lines.pop(), '');
  assert.deepEqual(
    lines.map((line): unknown => JSON.parse(line)),
    given.map((line): unknown => JSON.parse(line)),
  );
});

test('a discarded writer leaves no file', async () => {
  const folder = await mkdtemp(join(root, 'discarded-'));
  const writer = createGeoJsonWriter(join(folder, 'a.geojson'), { isNewlineDelimited: false, decimals: 7 });
  writer.discard();
  assert.deepEqual(await readdir(folder), []);
});
