import assert from 'node:assert/strict';
import test from 'node:test';
import { clipRing } from './clip-to-box.ts';
import { tilePicture } from './tile-picture.ts';
import { unwrapLine, unwrapRing } from './unwrap-ring.ts';
import { readWorldOutlines, toMercator } from './world-outlines.ts';

test('a line continues across the antimeridian, both ways', () => {
  assert.deepEqual(
    unwrapLine([
      [170, 1],
      [-170, 2],
      [-160, 3],
      [175, 4],
    ]),
    [
      [170, 1],
      [190, 2],
      [200, 3],
      [175, 4],
    ],
  );
  assert.deepEqual(
    unwrapLine([
      [-170, 1],
      [170, 2],
    ]),
    [
      [-170, 1],
      [-190, 2],
    ],
  );
});

test('a ring round a pole is closed along it, another is left as it is', () => {
  const round = unwrapRing([
    [0, -70],
    [120, -71],
    [-120, -72],
    [0, -70],
  ]);
  assert.deepEqual(round.slice(3), [
    [360, -70],
    [360, -90],
    [0, -90],
    [0, -70],
  ]);
  const island: [number, number][] = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ];
  assert.deepEqual(unwrapRing(island), island);
});

test('a ring is cut at the box, and one outside vanishes', () => {
  const box = { minX: 0, minY: 0, maxX: 1, maxY: 1 };
  const square = [
    [-1, -1],
    [0.5, -1],
    [0.5, 0.5],
    [-1, 0.5],
    [-1, -1],
  ] as const;
  const cut = clipRing(square, box);
  assert.deepEqual(new Set(cut.map(String)), new Set(['0,0', '0.5,0', '0.5,0.5', '0,0.5']));
  assert.deepEqual(cut.at(-1), cut[0]);
  assert.deepEqual(
    clipRing(
      [
        [2, 2],
        [3, 2],
        [3, 3],
        [2, 2],
      ],
      box,
    ),
    [],
  );
});

test('web mercator puts the equator in the middle and its edge at 85.0511 degrees', () => {
  assert.deepEqual(toMercator([0, 0]), [0.5, 0.5]);
  assert(Math.abs(toMercator([180, 85.0511287798])[1]) < 1e-9);
  assert(toMercator([0, -90])[1] > 1);
});

test('no coast and no border runs across the whole world', () => {
  const world = readWorldOutlines('110m');
  const lines = [...world.coasts, ...world.borders];
  assert(lines.length > 100);
  for (const { points } of lines) {
    for (const [index, [x]] of points.entries()) {
      const before = points[index - 1];
      if (before !== undefined) assert(Math.abs(x - before[0]) < 0.5);
    }
  }
});

test('a tile of the open sea has no land in it, one of the Sahara is covered by it', () => {
  const world = readWorldOutlines('110m');
  assert.match(tilePicture(world, { z: 5, x: 3, y: 18 }), /<path d="" fill="#f4f0e5"/);
  assert.match(tilePicture(world, { z: 5, x: 17, y: 13 }), /<path d="M[^"]+" fill="#f4f0e5"/);
  assert.match(tilePicture(world, { z: 5, x: 17, y: 13 }, 'dark'), /<path d="M[^"]+" fill="#35424c"/);
});
