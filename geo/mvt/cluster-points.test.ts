import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VectorTile } from '@mapbox/vector-tile';
import fc from 'fast-check';
import { PbfReader } from 'pbf';
import { trimShape } from '../clip/trim-shape.ts';
import { pointType } from '../shape/shape.ts';
import { worldBits, worldSize } from '../tile/world-grid.ts';
import { tileMargin, type ClusterOptions } from './cluster-options.ts';
import { extent, keys, recordOf, type Point, type TestRecord } from './testing.ts';
import { createTileMaker } from './tile-maker.ts';

const rule: ClusterOptions = {
  distance: 300,
  maxZoom: 5,
  minPoints: 2,
  aggregates: {
    total: ['sum', 'people'],
    lowest: ['min', 'people'],
    highest: ['max', 'people'],
    average: ['mean', 'people'],
    known: ['count', 'name'],
  },
};

interface Shown {
  readonly world: Point;
  readonly isInside: boolean;
  readonly id: number | undefined;
  readonly properties: Record<string, unknown>;
}

/** The points of some tiles, each made from what its margin lets it see. */
function show(records: readonly TestRecord[], z: number, cluster: ClusterOptions, buffer = 0): Shown[] {
  const layers = [{ name: 'test', cluster }];
  const maker = createTileMaker({
    extent,
    buffer,
    maxZoom: 14,
    dustLength: 3,
    dustArea: 16,
    repair: true,
    layers,
    keys: keys.names,
    maxTileBytes: 1e7,
    gzip: (bytes) => bytes,
    limitBytes: 1e6,
    limitFeatures: 1e6,
    whenTooLarge: 'keep',
  });
  const side = 2 ** (worldBits - z);
  const margin = (tileMargin({ extent, buffer, layers }, z) / extent) * side;
  const shown: Shown[] = [];
  for (let x = 0; x < 2 ** z; x++) {
    for (let y = 0; y < 2 ** z; y++) {
      const box = {
        minX: x * side - margin,
        minY: y * side - margin,
        maxX: (x + 1) * side + margin,
        maxY: (y + 1) * side + margin,
      };
      const made = maker.make(z, x, y, {
        each(visit) {
          for (const { store, record, shape } of records) {
            const { length } = store;
            const left = trimShape(store, shape, pointType, box);
            if (left >= 0) visit(store, record, left);
            store.length = length;
          }
        },
      });
      const layer = made && new VectorTile(new PbfReader(made.bytes)).layers['test'];
      for (let i = 0; i < (layer?.length ?? 0); i++) {
        const feature = layer!.feature(i);
        for (const { x: px, y: py } of feature.loadGeometry().flat()) {
          shown.push({
            world: [((x * extent + px) * side) / extent, ((y * extent + py) * side) / extent],
            isInside: px >= 0 && px < extent && py >= 0 && py < extent,
            id: feature.id,
            properties: { ...feature.properties },
          });
        }
      }
    }
  }
  return shown;
}

const coordinate = fc.oneof(
  fc.integer({ min: 1, max: worldSize - 1 }),
  fc.integer({ min: worldSize / 2 - 2 ** 22, max: worldSize / 2 + 2 ** 22 }),
);
const position: fc.Arbitrary<Point> = fc.tuple(coordinate, coordinate);
const multiPoints = fc.array(fc.array(position, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 60,
  size: 'max',
});

const pointsOf = ({ properties }: Shown): number => (properties['point_count'] as number | undefined) ?? 1;

test('over all tiles of a zoom, clusters and single points represent every point exactly once', () => {
  fc.assert(
    fc.property(
      multiPoints,
      fc.integer({ min: 0, max: 3 }),
      fc.constantFrom(1, 7.3, 50, 300, 5000),
      fc.constantFrom(0, 16, 80),
      fc.integer({ min: 1, max: 4 }),
      (parts, z, distance, buffer, minPoints) => {
        const records = parts.map((part, id) =>
          recordOf(pointType, [part.map((point) => [point])], { people: id }, { id }),
        );
        const shown = show(records, z, { ...rule, distance, minPoints }, buffer);
        const inside = shown.filter((each) => each.isInside);
        assert.equal(
          inside.reduce((sum, each) => sum + pointsOf(each), 0),
          parts.flat().length,
        );
        for (const each of inside) {
          if (each.properties['cluster'] === true)
            assert.ok(pointsOf(each) >= minPoints && each.id === undefined);
          else assert.equal(each.properties['people'], each.id);
        }
        // What a tile's buffer shows is the very same as what the neighbour shows there.
        const known = new Set(inside.map(({ world, properties }) => JSON.stringify([world, properties])));
        for (const { world, properties } of shown) {
          assert.ok(known.has(JSON.stringify([world, properties])));
        }
      },
    ),
    { numRuns: 150 },
  );
});

test('a cluster is at the mean of its points and has their sum, extremes, mean and count', () => {
  const unit = 2 ** 18;
  const given = [
    { x: 1000, people: 5, name: 'a' },
    { x: 1010, people: -2.5 },
    { x: 1032, people: 'many', name: 'c' },
  ];
  const records = given.map(({ x, ...attributes }, id) =>
    recordOf(pointType, [[[[x * unit, 2000 * unit]]]], attributes as Record<string, string>, { id }),
  );
  const alone = recordOf(pointType, [[[[3000 * unit, 2000 * unit]]]], { people: 1 }, { id: 9 });
  const [cluster, single] = show([records[0]!, alone, records[1]!, records[2]!], 0, rule);
  assert.deepEqual(cluster, {
    world: [1014 * unit, 2000 * unit],
    isInside: true,
    id: undefined,
    properties: {
      cluster: true,
      point_count: 3,
      total: 2.5,
      lowest: -2.5,
      highest: 5,
      average: 1.25,
      known: 2,
    },
  });
  assert.equal(single!.id, 9);
});

test('beyond its highest zoom nothing is clustered, and points that a zoom does not show do not count', () => {
  const middle: Point = [worldSize / 2, worldSize / 2];
  const records = [1, 2, 3].map((id) => recordOf(pointType, [[[middle]]], {}, { id }));
  records[2]!.store.words[6] = 3 | (31 << 8);
  assert.deepEqual(show(records, 2, rule).map(pointsOf), [2]);
  assert.deepEqual(show(records, 3, rule).map(pointsOf), [3]);
  assert.deepEqual(
    show(records, 3, { ...rule, maxZoom: 2 }).map(({ id }) => id),
    [1, 2, 3],
  );
});
