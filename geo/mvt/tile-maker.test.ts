import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import fc from 'fast-check';
import { PbfReader } from 'pbf';
import { lineType, pointType, polygonType } from '../shape/shape.ts';
import { worldBits } from '../tile/world-grid.ts';
import { extent, keys, recordOf, type Point, type TestRecord } from './testing.ts';
import type { TileFeatures } from './tile-features.ts';
import { createTileMaker, type TileMakerOptions } from './tile-maker.ts';
import type { MadeTile } from './made-tile.ts';

const z = 4;
const tile = { x: 5, y: 6 };
const unit = 2 ** (worldBits - 12 - z);
/** In units of the tile. */
const at = (x: number, y: number): Point => [
  Math.round((tile.x * extent + x) * unit),
  Math.round((tile.y * extent + y) * unit),
];

function featuresOf(records: readonly TestRecord[]): TileFeatures {
  return {
    each(visit) {
      for (const { store, record, shape } of records) visit(store, record, shape);
    },
  };
}

type Overrides = Partial<TileMakerOptions>;

function make(records: readonly TestRecord[], overrides: Overrides = {}): MadeTile | undefined {
  const maker = createTileMaker({
    extent,
    buffer: 16,
    maxZoom: 10,
    dustLength: 3,
    dustArea: 16,
    repair: true,
    layers: [{ name: 'test' }, { name: 'other' }],
    keys: keys.names,
    maxTileBytes: 1e7,
    gzip: (bytes) => gzipSync(bytes, { level: 4 }),
    limitBytes: 500_000,
    limitFeatures: 200_000,
    whenTooLarge: 'dropDensest',
    ...overrides,
  });
  return maker.make(z, tile.x, tile.y, featuresOf(records));
}

function featuresIn(made: MadeTile | undefined, layer = 'test'): VectorTileFeature[] {
  const found = made && new VectorTile(new PbfReader(made.bytes)).layers[layer];
  return Array.from({ length: found?.length ?? 0 }, (_, i) => found!.feature(i));
}

const idsIn = (made: MadeTile | undefined): number[] => featuresIn(made).map(({ id }) => id!);

const pointAt = (x: number, y: number, id: number, text = `place ${id}`): TestRecord =>
  recordOf(pointType, [[[at(x, y)]]], { text }, { id });

/** Numbers that are always the same. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

const spots = fc.array(fc.tuple(fc.integer({ min: 0, max: 4095 }), fc.integer({ min: 0, max: 4095 })), {
  minLength: 1,
  maxLength: 150,
  size: 'max',
});

test('a tile that is too large is thinned out until it fits, and says how many features are missing', () => {
  fc.assert(
    fc.property(spots, fc.integer({ min: 300, max: 3000 }), (places, limitBytes) => {
      const records = places.map(([x, y], i) => pointAt(x, y, i));
      const made = make(records, { limitBytes })!;
      assert.ok(made.packed.length <= limitBytes, `${made.packed.length}`);
      assert.equal(made.features + made.dropped, records.length);
      const ids = idsIn(made);
      assert.equal(ids.length, made.features);
      assert.deepEqual(
        ids,
        ids.toSorted((a, b) => a - b),
        'in the order of the input',
      );
      const whole = make(records)!;
      assert.equal(made.dropped === 0, whole.packed.length <= limitBytes);
    }),
    { numRuns: 60 },
  );
});

test('the limit of features is used up to the last one', () => {
  const random = sequence(1);
  const records = Array.from({ length: 2000 }, (_, i) => pointAt(random() * 4096, random() * 4096, i));
  for (const limitFeatures of [1, 10, 777, 1999, 2000]) {
    const made = make(records, { limitFeatures })!;
    assert.ok(made.features <= limitFeatures && made.features >= limitFeatures * 0.9, `${made.features}`);
  }
});

test('isolated and large features are kept, crowded ones are dropped first', () => {
  const random = sequence(2);
  const crowd = Array.from({ length: 3000 }, (_, i) =>
    pointAt(1000 + random() * 60, 1000 + random() * 60, i),
  );
  const alone = Array.from({ length: 49 }, (_, i) =>
    pointAt(300 + (i % 7) * 550, 300 + Math.floor(i / 7) * 550, 10_000 + i),
  );
  const park = recordOf(
    polygonType,
    [[[at(900, 900), at(1200, 900), at(1200, 1200), at(900, 1200)]]],
    {},
    {
      id: 20_000,
    },
  );
  const street = recordOf(lineType, [[[at(1000, 1000), at(1500, 1010)]]], {}, { id: 20_001 });
  const shed = (i: number): TestRecord => {
    const x = 1000 + (i % 30) * 6;
    const y = 1000 + Math.floor(i / 30) * 6;
    return recordOf(
      polygonType,
      [[[at(x, y), at(x + 5, y), at(x + 5, y + 5), at(x, y + 5)]]],
      {},
      {
        id: 30_000 + i,
      },
    );
  };
  const sheds = Array.from({ length: 900 }, (_, i) => shed(i));
  const ids = new Set(idsIn(make([...crowd, ...sheds, park, street, ...alone], { limitBytes: 3500 })));
  for (const { store } of [...alone, park, street]) assert.ok(ids.has(store.words[2]!));
  assert.ok(ids.size < 700);
});

test('which features are dropped does not depend on their order, unless they coincide', () => {
  const random = sequence(3);
  const records = Array.from({ length: 1000 }, (_, i) =>
    pointAt(10 + (i % 40) * 100 + random() * 50, 10 + Math.floor(i / 40) * 100, i, 'same'),
  );
  const ids = (given: readonly TestRecord[]): number[] =>
    idsIn(make(given, { limitFeatures: 300 })).toSorted((a, b) => a - b);
  assert.deepEqual(ids(records.toReversed()), ids(records));
});

test('truncating keeps the first features, keeping keeps all', () => {
  const random = sequence(4);
  const records = Array.from({ length: 500 }, (_, i) => pointAt(random() * 4096, random() * 4096, i));
  const truncated = make(records, { limitBytes: 2000, whenTooLarge: 'truncate' })!;
  assert.ok(truncated.packed.length <= 2000 && truncated.packed.length > 1000);
  assert.equal(truncated.features + truncated.dropped, 500);
  assert.deepEqual(
    idsIn(truncated),
    Array.from({ length: truncated.features }, (_, i) => i),
  );
  const few = make(records, { limitFeatures: 7, whenTooLarge: 'truncate' })!;
  assert.deepEqual(idsIn(few), [0, 1, 2, 3, 4, 5, 6]);
  const kept = make(records, { limitBytes: 2000, limitFeatures: 7, whenTooLarge: 'keep' })!;
  assert.equal(kept.features, 500);
});

test('a single feature that is too large is kept', () => {
  const text = Array.from({ length: 3000 }, (_, i) => String.fromCodePoint(33 + ((i * i) % 90))).join('');
  for (const whenTooLarge of ['dropDensest', 'truncate'] as const) {
    const made = make([pointAt(5, 5, 1, text), pointAt(50, 5, 2, `${text}!`)], {
      limitBytes: 100,
      whenTooLarge,
    })!;
    assert.equal(made.features, 1);
  }
});

const partsIn = (made: MadeTile | undefined): string[] =>
  featuresIn(made)
    .flatMap((feature) =>
      feature.loadGeometry().flatMap((part): object[] => (feature.type === 1 ? part : [part])),
    )
    .map((part) => JSON.stringify(part))
    .toSorted();

test('coalescing joins neighbours of equal attributes first, and loses no geometry', () => {
  fc.assert(
    fc.property(
      spots,
      fc.constantFrom(pointType, lineType, polygonType),
      fc.integer({ min: 5, max: 60 }),
      (places, type, limitFeatures) => {
        const records = places.map(([x, y], id) => {
          const ring = [at(x, y), at(x + 9, y), at(x + 9, y + 9), at(x, y + 9)];
          const shape = type === pointType ? [[ring[0]!]] : [ring];
          return recordOf(type, [shape], { kind: id % 3 }, { id, layer: id % 2 });
        });
        const made = make(records, { limitFeatures, whenTooLarge: 'coalesce' })!;
        const whole = make(records, { whenTooLarge: 'keep' })!;
        assert.ok(made.features <= limitFeatures);
        assert.equal(made.features + made.coalesced, whole.features);
        assert.equal(made.dropped, 0);
        assert.deepEqual(partsIn(made), partsIn(whole));
        assert.equal(made.coalesced === 0, whole.features <= limitFeatures);
      },
    ),
    { numRuns: 60 },
  );
});

test('joined features take the attributes and the id of the largest', () => {
  const box = (x: number, size: number, id: number, kind: string): TestRecord =>
    recordOf(
      polygonType,
      [[[at(x, 500), at(x + size, 500), at(x + size, 500 + size), at(x, 500 + size)]]],
      { kind },
      { id },
    );
  const far = recordOf(
    polygonType,
    [[[at(3000, 3000), at(3050, 3000), at(3050, 3050)]]],
    { kind: 'c' },
    { id: 9 },
  );
  const records = [box(500, 10, 1, 'a'), box(512, 40, 2, 'b'), box(556, 10, 3, 'a'), far];
  const made = make(records, { limitFeatures: 2, whenTooLarge: 'coalesce' })!;
  assert.deepEqual(
    featuresIn(made).map(({ id, properties }) => [id, properties['kind']]),
    [
      [2, 'b'],
      [9, 'c'],
    ],
  );
});

test('features are dropped if joining is not enough', () => {
  const random = sequence(5);
  const records = Array.from({ length: 3000 }, (_, i) =>
    pointAt(Math.floor(random() * 4096), Math.floor(random() * 4096), i),
  );
  const made = make(records, { limitBytes: 2000, whenTooLarge: 'coalesce' })!;
  assert.ok(made.packed.length <= 2000);
  assert.ok(made.dropped > 0);
});
