import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterFile } from '../../checks/clean-up.ts';
import { openObjectTests } from './testing.ts';
import { onlyTile, verticesOf, type DecodedTile } from './testing-tileset.ts';

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
