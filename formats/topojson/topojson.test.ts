import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
// @ts-expect-error -- it comes without types
import { topology as untypedTopology } from 'topojson-server';
import { feature as toGeoJson } from 'topojson-client';
import type { Topology } from 'topojson-specification';
import { expectedParts, type Geometry } from '../wkb/testing.ts';
import { readFileOf, survivesMutations } from '../xml/testing.ts';
import { topoJsonFormat } from './format.ts';

const topology = untypedTopology as (objects: object, quantization?: number) => Topology;

const layersOf = async (content: unknown) =>
  (await readFileOf(topoJsonFormat, typeof content === 'string' ? content : JSON.stringify(content))).layers;

/** Two squares that share the arc 0, quantized; a collection in a collection, and things without geometry. */
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

test('every object is a layer, shared and reversed arcs are put together', async () => {
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

test('objects that make no sense are set aside, the others are read', async () => {
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

test('what is no topology fails with words', async () => {
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

const number = fc.integer({ min: -1_800_000, max: 1_800_000 }).map((value) => value / 1e4);
const position = fc.tuple(number, number);
const line = fc.array(position, { minLength: 2, maxLength: 6 });
const ring = fc
  .array(position, { minLength: 3, maxLength: 6 })
  .map((positions) => positions.concat([positions[0]!]));
const rings = fc.array(ring, { minLength: 1, maxLength: 3 });
const geometry: fc.Arbitrary<Geometry> = fc.oneof(
  fc.record({ type: fc.constant('Point'), coordinates: position }),
  fc.record({ type: fc.constant('MultiPoint'), coordinates: line }),
  fc.record({ type: fc.constant('LineString'), coordinates: line }),
  fc.record({
    type: fc.constant('MultiLineString'),
    coordinates: fc.array(line, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ type: fc.constant('Polygon'), coordinates: rings }),
  fc.record({
    type: fc.constant('MultiPolygon'),
    coordinates: fc.array(rings, { minLength: 1, maxLength: 3 }),
  }),
);
const collection = fc
  .array(
    fc.record({
      geometry,
      id: fc.integer(),
      properties: fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.jsonValue(), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((features) => ({
    type: 'FeatureCollection' as const,
    features: features.map((own) => ({ type: 'Feature' as const, ...own })),
  }));

/** Of the first ring one position stays on a grid as coarse as the second feature makes it. */
const collapsed = {
  type: 'FeatureCollection' as const,
  features: [
    { type: 'MultiPolygon', coordinates: [[[0, 1, 2, 0].map(() => [0, 0])]] },
    {
      type: 'LineString',
      coordinates: [
        [0, 0.0082],
        [0, -0.0001],
      ],
    },
  ].map((geometry, id) => ({ type: 'Feature' as const, geometry, id, properties: {} })),
};

test('what topojson-server writes is read as topojson-client does, quantized or not', async () => {
  await fc.assert(
    fc.asyncProperty(collection, fc.constantFrom(undefined, 1e4, 1e6), async (given, quantization) => {
      const written = JSON.parse(
        JSON.stringify(topology({ given: given as never }, quantization)),
      ) as Topology;
      const expected = toGeoJson(written, written.objects['given']!) as unknown as typeof given;
      const [layer] = await layersOf(written);
      assert.equal(layer!.features.length, given.features.length);
      for (const [i, { id, properties, parts, problem }] of layer!.features.entries()) {
        assert.equal(problem, undefined);
        assert.equal(id, expected.features[i]!.id);
        assert.deepEqual(properties, expected.features[i]!.properties);
        const expectedShape = withoutRepeats(expectedParts(expected.features[i]!.geometry));
        const read = withoutRepeats(parts);
        assert.equal(JSON.stringify(shape(read)), JSON.stringify(shape(expectedShape)));
        for (const [at, value] of numbers(read).entries())
          assert.ok(Math.abs(value - numbers(expectedShape)[at]!) < 1e-9);
      }
    }),
    { numRuns: 60, examples: [[collapsed, 1e4]] },
  );
});

/** A ring that quantization has made a point is filled up to four positions by topojson-client, but not by us. */
const withoutRepeats = (parts: unknown): unknown =>
  Array.isArray(parts)
    ? parts
        .map(withoutRepeats)
        .filter((part, i, all) => typeof part === 'number' || !isSame(part, all[i - 1]))
    : parts;
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const shape = (parts: unknown): unknown => (Array.isArray(parts) ? parts.map(shape) : typeof parts);
const numbers = (parts: unknown): number[] =>
  Array.isArray(parts) ? parts.flatMap(numbers) : typeof parts === 'number' ? [parts] : [];

const atlas = join(import.meta.dirname, '../../node_modules', 'world-atlas', 'countries-110m.json');
test(
  'a real atlas is read as topojson-client reads it',
  { skip: !existsSync(atlas) && 'world-atlas is not installed' },
  async () => {
    const text = readFileSync(atlas, 'utf8');
    const world = JSON.parse(text) as Topology;
    const layers = await layersOf(text);
    assert.deepEqual(
      layers.map(({ name }) => name),
      ['countries', 'land'],
    );
    for (const { name, features } of layers) {
      const expected = (
        toGeoJson(world, world.objects[name!]!) as unknown as { features: { geometry: Geometry }[] }
      ).features;
      assert.equal(features.length, expected.length);
      for (const [i, { parts }] of features.entries()) {
        const expectedShape = numbers(expectedParts(expected[i]!.geometry));
        for (const [at, value] of numbers(parts).entries())
          assert.ok(Math.abs(value - expectedShape[at]!) < 1e-9);
      }
    }
  },
);

test('200 damaged files give features or an error, and never harm', () =>
  survivesMutations(topoJsonFormat, JSON.stringify(squares)));
