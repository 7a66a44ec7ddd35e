import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterFile } from '../../checks/clean-up.ts';
import { openObjectTests } from './testing.ts';
import { areasOf, onlyTile, verticesOf, type DecodedTile } from './testing-tileset.ts';

const tests = await openObjectTests();
afterFile(tests.remove);

const ring = (x: number, z?: number): number[][] =>
  [
    [x, 50],
    [x + 0.0002, 50],
    [x + 0.0002, 50.0001],
    [x, 50.0001],
    [x, 50],
  ].map(([lon, lat]) => (z === undefined ? [lon!, lat!] : [lon!, lat!, z]));

const collection = (features: readonly object[]): string =>
  JSON.stringify({ type: 'FeatureCollection', features });
const building = (id: string, coordinates: unknown, properties: object = {}): object => ({
  type: 'Feature',
  id,
  properties: { building: 'yes', ...properties },
  geometry: { type: 'Polygon', coordinates },
});

async function tileOf(content: string, options: object = {}): Promise<DecodedTile> {
  const { outputFolder } = await tests.run([await tests.put('buildings.geojson', content)], {
    output: { format: 'folder' },
    ...options,
  });
  return onlyTile(outputFolder);
}

test('footprints of a vector file become buildings with their attributes, on the ellipsoid', async () => {
  const decoded = await tileOf(
    collection([
      building('a', [ring(8)], { height: 12, name: 'Töpferei' }),
      building('b', [ring(8.001)], {
        'building:levels': '2',
        'roof:shape': 'pyramidal',
        'roof:colour': '#00ff00',
      }),
      { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [8, 50] } },
      {
        type: 'Feature',
        properties: { landuse: 'forest' },
        geometry: { type: 'Polygon', coordinates: [ring(8.002)] },
      },
    ]),
  );
  assert.deepEqual(decoded.rows, [
    { id: 'a', class: 'Building', building: 'yes', height: 12, name: 'Töpferei' },
    {
      id: 'b',
      class: 'Building',
      building: 'yes',
      'building:levels': '2',
      'roof:shape': 'pyramidal',
      'roof:colour': '#00ff00',
    },
  ]);
  const heights = verticesOf(decoded).map(([, , height]) => height);
  assert.ok(Math.abs(Math.min(...heights)) < 0.01 && Math.abs(Math.max(...heights) - 12) < 0.01);
  const { colours } = decoded.primitives[0]!;
  assert.ok(
    [...colours!].some((value, i) => i % 4 === 1 && value === 255 && colours![i - 1] === 0),
    'a green roof',
  );
});

test('footprints with heights stand at them, and surfaces with heights are drawn as they are', async () => {
  const wall = [
    [8.002, 50, 100],
    [8.002, 50.0001, 100],
    [8.002, 50.0001, 130],
    [8.002, 50, 130],
    [8.002, 50, 100],
  ];
  const content = collection([building('a', [ring(8, 100)], { height: 10 }), building('b', [wall])]);
  const decoded = await tileOf(content, { heights: { mode: 'asGiven' } });
  const heights = verticesOf(decoded).map(([, , height]) => height);
  assert.ok(Math.abs(Math.min(...heights) - 100) < 0.01 && Math.abs(Math.max(...heights) - 130) < 0.01);
  assert.equal(decoded.rows.length, 2);
});

/** A rectangle in metres from 8° E, 50° N. */
const box = ([x, y]: readonly [number, number], [width, depth]: readonly [number, number]) =>
  [
    [0, 0],
    [width, 0],
    [width, depth],
    [0, depth],
    [0, 0],
  ].map(([dx, dy]) => [8 + (x + dx!) / (111_320 * Math.cos((50 * Math.PI) / 180)), 50 + (y + dy!) / 111_320]);

const part = (id: string, ring: readonly (readonly number[])[], height: number, more: object = {}) => ({
  type: 'Feature',
  id,
  properties: { 'building:part': 'yes', height, ...more },
  geometry: { type: 'Polygon', coordinates: [ring] },
});

/** In any order: a tower in a hall around a courtyard, a house within the courtyard, and a part without an outline. */
const withParts = collection([
  part('tower', box([0, 0], [10, 10]), 40, { 'roof:colour': '#ff0000' }),
  building('town-hall', [box([0, 0], [60, 60]), box([20, 20], [20, 20])], { height: 70, name: 'Rathaus' }),
  building('shed', [box([25, 25], [5, 5])], { height: 4 }),
  building('site', [box([-10, -10], [100, 100])], { height: 1 }),
  part('wing', box([10, 0], [50, 10]), 12, { min_height: 3 }),
  part('lonely', box([200, 0], [10, 10]), 9),
  { ...part('none', box([300, 0], [10, 10]), 9), properties: { 'building:part': 'no' } },
]);

/** The lowest and the highest vertex of each object, in metres. */
function heightsOf(tile: DecodedTile): Record<string, readonly [number, number]> {
  const features = tile.primitives.flatMap((one) => [...one.features]);
  const heights: Record<string, readonly [number, number]> = {};
  for (const [i, [, , height]] of verticesOf(tile).entries()) {
    const id = String(tile.rows[features[i]!]!['id']);
    const [low, high] = heights[id] ?? [Infinity, -Infinity];
    const metre = Math.round(height) + 0; // not -0
    heights[id] = [Math.min(low, metre), Math.max(high, metre)];
  }
  return heights;
}

test('parts of a building are drawn instead of the smallest outline around them, which keeps its attributes', async () => {
  const tile = await tileOf(withParts);
  assert.deepEqual(heightsOf(tile), {
    shed: [0, 4],
    site: [0, 1],
    'town-hall': [0, 40],
    lonely: [0, 9],
  });
  const hall = tile.rows.find(({ id }) => id === 'town-hall');
  assert.deepEqual(hall, {
    id: 'town-hall',
    class: 'Building',
    building: 'yes',
    height: 70,
    name: 'Rathaus',
    'building:part': 'yes',
    min_height: 3,
    'roof:colour': '#ff0000',
  });
  const area = areasOf(tile).get(tile.rows.indexOf(hall!))!;
  const expected = 2 * 100 + 40 * 40 + 2 * 500 + 120 * 9;
  assert.ok(Math.abs(area / expected - 1) < 0.005, `${area} instead of ${expected} m²`);
});

test('parts of buildings are features of their own if asked for', async () => {
  const tile = await tileOf(withParts, { modelOptions: { features: 'part' } });
  assert.deepEqual(heightsOf(tile), {
    shed: [0, 4],
    site: [0, 1],
    tower: [0, 40],
    wing: [3, 12],
    lonely: [0, 9],
  });
  assert.deepEqual(
    tile.rows.filter(({ parent }) => parent === 'town-hall').map(({ id, class: name }) => [id, name]),
    [
      ['tower', 'BuildingPart'],
      ['wing', 'BuildingPart'],
    ],
  );
});

test('parts and outlines without an area, or nowhere, spoil no other building', async () => {
  const odd = [[], [[]], [[[8, 50]]], [box([0, 0], [0, 0])], [box([1e305, 0], [1, 1])]];
  const tile = await tileOf(
    collection(
      odd.flatMap((coordinates, i) => [
        { ...part(`part-${i}`, [], 3), geometry: { type: 'Polygon', coordinates } },
        building(`outline-${i}`, coordinates),
        part(`good-part-${i}`, box([i * 20 + 20, 0], [5, 5]), 9),
        building(`good-${i}`, [box([i * 20 + 20, 0], [10, 10])]),
      ]),
    ),
  );
  assert.deepEqual(heightsOf(tile), Object.fromEntries(odd.map((_, i) => [`good-${i}`, [0, 9]])));
});
