import assert from 'node:assert/strict';
import test from 'node:test';
import { clipRing } from './clip-to-box.ts';
import { tilePicture } from './tile-picture.ts';
import { readPn2 } from './read-pn2.ts';
import { unwrapLine, unwrapRing } from './unwrap-ring.ts';
import { outlineOf, readWorldOutlines, toMercator } from './world-outlines.ts';
import { readWorldWaters } from './world-waters.ts';

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

const outlines = readWorldOutlines('110m');
const dry = { ...outlines, rivers: [], lakes: [], ice: [] };

test('a tile of the open sea has no land in it, one of the Sahara is covered by it', () => {
  assert.match(tilePicture(dry, { z: 5, x: 3, y: 18 }), /<path d="" fill="#f4f0e5"/);
  assert.match(tilePicture(dry, { z: 5, x: 17, y: 13 }), /<path d="M[^"]+" fill="#f4f0e5"/);
  assert.match(tilePicture(dry, { z: 5, x: 17, y: 13 }, 'dark'), /<path d="M[^"]+" fill="#1c2429"/);
});

test('rivers and lakes are drawn from their zoom level on', () => {
  const river = {
    ...outlineOf([
      [20, 20],
      [21, 21],
    ]),
    isMain: true,
    minZoom: 5,
  };
  const drawn = /<path d="M[^"]+" stroke="#86b3c4"/;
  const world = { ...dry, rivers: [river] };
  assert.match(tilePicture(world, { z: 5, x: 17, y: 14 }), drawn);
  assert.doesNotMatch(tilePicture(world, { z: 4, x: 8, y: 7 }), drawn);
});

/** Version, number of parts, no colours; a group of two lines, the second of which has a node of its own. */
const pn2 = Uint8Array.from(
  [
    [2, 0, 0, 0, 2, 0],
    [4, 0, 0, 0, 9, 2],
    [0, 0, 0, 0, 9, 0, 0, 0, 1, 0, 120, 255, 136, 0, 1, 254, 10],
    [0, 0, 0, 0, 9, 0, 0, 0, 2, 0, 240, 0, 0, 0, 0, 1, 104, 0, 60, 0, 0],
  ].flat(),
);

test('lines of a PN2 file are read with the steps from their nodes', () => {
  assert.deepEqual(readPn2(pn2), [
    {
      feature: 9,
      type: 'line',
      points: [
        [-1, 1],
        [-110 / 120, 118 / 120],
      ],
    },
    {
      feature: 9,
      type: 'line',
      points: [
        [0, 2],
        [0.5, 3],
      ],
    },
  ]);
});

test('what is no PN2 file, or is cut off, is refused', () => {
  assert.throws(() => readPn2(Uint8Array.of(1, 0, 0)), /no PN2 file of version 2/);
  assert.throws(() => readPn2(pn2.subarray(0, -3)), RangeError);
  assert.throws(
    () => readPn2(Uint8Array.of(2, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0)),
    /Unknown type of part at byte 6/,
  );
});

test('without the files of rivers, the error names the package that has them', () => {
  assert.throws(
    () => readWorldWaters(undefined),
    /ne_50m_rivers_lake_centerlines\.pn2 is missing.*marble-qt-data/,
  );
});
