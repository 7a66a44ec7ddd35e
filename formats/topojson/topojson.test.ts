import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileOf, survivesMutations } from '../xml/testing.ts';
import { topoJsonFormat } from './format.ts';

const layersOf = async (content: unknown) =>
  (await readFileOf(topoJsonFormat, typeof content === 'string' ? content : JSON.stringify(content))).layers;

/** Two quantized squares that share arc 0, a nested collection, and objects without geometry. */
const squares = {
  type: 'Topology',
  bbox: [0, 0, 20, 10],
  transform: { scale: [10, 10], translate: [0, 0] },
  arcs: [
    [
      [1, 0],
      [0, 1],
    ],
    [
      [1, 1],
      [-1, 0],
      [0, -1],
      [1, 0],
    ],
    [
      [1, 1],
      [1, 0],
      [0, -1],
      [-1, 0],
    ],
  ],
  objects: {
    areas: {
      type: 'GeometryCollection',
      geometries: [
        { type: 'Polygon', id: 'w', arcs: [[0, 1]], properties: { name: 'west' } },
        { type: 'MultiPolygon', id: 7, arcs: [[[2, 0]]] },
        { type: null, properties: { name: 'none' } },
        {
          type: 'GeometryCollection',
          properties: { n: 1 },
          geometries: [
            { type: 'Point', coordinates: [1, 1] },
            { type: 'LineString', arcs: [-1] },
          ],
        },
      ],
    },
    border: { type: 'MultiLineString', arcs: [[0], [1, -2]] },
    places: {
      type: 'MultiPoint',
      coordinates: [
        [0, 0],
        [2, 1],
      ],
    },
  },
};

test('every object becomes a layer, and shared and reversed arcs are joined', async () => {
  const [areas, border, places] = await layersOf(squares);
  assert.deepEqual([areas!.name, border!.name, places!.name], ['areas', 'border', 'places']);
  const [west, east, none, both] = areas!.features;
  assert.deepEqual([west!.id, west!.properties], ['w', { name: 'west' }]);
  assert.deepEqual(west!.parts, [
    [
      'Polygon',
      [
        [
          [
            [10, 0],
            [10, 10],
            [0, 10],
            [0, 0],
            [10, 0],
          ],
        ],
      ],
    ],
  ]);
  assert.deepEqual(
    [east!.id, east!.parts],
    [
      7,
      [
        [
          'MultiPolygon',
          [
            [
              [
                [10, 10],
                [20, 10],
                [20, 0],
                [10, 0],
                [10, 10],
              ],
            ],
          ],
        ],
      ],
    ],
  );
  assert.deepEqual([none!.parts, none!.problem, none!.properties], [[], undefined, { name: 'none' }]);
  assert.deepEqual(both!.parts, [
    ['Point', [[[[10, 10]]]]],
    [
      'LineString',
      [
        [
          [
            [10, 10],
            [10, 0],
          ],
        ],
      ],
    ],
  ]);
  assert.equal(border!.features[0]!.parts[0]![1][0]!.length, 2);
  assert.deepEqual(places!.features[0]!.parts, [
    [
      'MultiPoint',
      [
        [
          [
            [0, 0],
            [20, 10],
          ],
        ],
      ],
    ],
  ]);
});

test('invalid objects are rejected, and the others are read', async () => {
  const features = [
    { type: 'LineString', arcs: [9] },
    { type: 'LineString', arcs: [-9] },
    { type: 'LineString', arcs: [0.5] },
    { type: 'LineString', arcs: [3] },
    { type: 'LineString', arcs: 'x' },
    { type: 'Polygon', arcs: [0] },
    { type: 'Point', coordinates: ['1', 2] },
    { type: 'Blob' },
    5,
    null,
    { type: 'Point', coordinates: [1, 2] },
  ];
  const broken = {
    ...squares,
    arcs: [...squares.arcs, [[1, null]]],
    objects: { a: { type: 'GeometryCollection', geometries: features } },
  };
  const [layer] = await layersOf(broken);
  assert.deepEqual(
    layer!.features.map(({ problem }) => problem !== undefined),
    [true, true, true, true, true, true, true, true, true, false, false],
  );
});

test('a file that is not a topology fails with a reason', async () => {
  for (const [content, code] of [
    ['{"type":"Topology"', 'brokenJson'],
    ['[]', 'brokenFile'],
    ['{"type":"Feature"}', 'brokenFile'],
    ['{"type":"Topology","arcs":[]}', 'brokenFile'],
    ['{"type":"Topology","objects":{}}', 'brokenFile'],
    ['{"type":"Topology","objects":{"a":1},"arcs":[]}', 'brokenFile'],
    ['{"type":"Topology","objects":{},"arcs":[],"transform":{}}', 'brokenFile'],
    ['{"type":"Topology","objects":{},"arcs":[],"transform":3}', 'brokenFile'],
  ] as const)
    await assert.rejects(layersOf(content), { code }, content);
  const deep = `${'{"type":"GeometryCollection","properties":{},"geometries":['.repeat(1000)}${']}'.repeat(1000)}`;
  const [layer] = await layersOf(`{"type":"Topology","objects":{"a":${deep}},"arcs":[]}`);
  assert.match(layer!.features[0]!.problem!, /too deep/);
});

test('a small file that uses an arc very often cannot fill the memory', async () => {
  const arcs = [Array.from({ length: 20_000 }, (_, i) => [i, i])];
  const object = { type: 'LineString', arcs: Array.from({ length: 20_000 }, () => 0) };
  const { layers } = await readFileOf(
    topoJsonFormat,
    JSON.stringify({ type: 'Topology', objects: { object }, arcs }),
    { maxFeatureBytes: 1 << 24 },
  );
  assert.match(layers[0]!.features[0]!.problem!, /positions/);
});

test('200 damaged files give features or an error, in bounded time and memory', () =>
  survivesMutations(topoJsonFormat, JSON.stringify(squares)));
