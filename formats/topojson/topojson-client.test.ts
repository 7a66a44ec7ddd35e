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
import { readFileOf } from '../xml/testing.ts';
import { topoJsonFormat } from './format.ts';

const topology = untypedTopology as (objects: object, quantization?: number) => Topology;

const layersOf = async (text: string) => (await readFileOf(topoJsonFormat, text)).layers;

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

/** The second feature makes the grid so coarse that the first ring becomes one position. */
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

test('a file of topojson-server is read as topojson-client reads it, quantized or not', async () => {
  await fc.assert(
    fc.asyncProperty(collection, fc.constantFrom(undefined, 1e4, 1e6), async (given, quantization) => {
      const written = JSON.parse(
        JSON.stringify(topology({ given: given as never }, quantization)),
      ) as Topology;
      const expected = toGeoJson(written, written.objects['given']!) as unknown as typeof given;
      const [layer] = await layersOf(JSON.stringify(written));
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

/** Removes repeated positions: topojson-client extends a ring that quantization made a point to four of them. */
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
