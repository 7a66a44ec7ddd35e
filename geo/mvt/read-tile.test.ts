import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VectorTile } from '@mapbox/vector-tile';
import fc from 'fast-check';
import { PbfReader } from 'pbf';
import { createByteWriter, writeBytes, writeVarint, writeZigzag, type ByteWriter } from './byte-writer.ts';
import { readTile, TileError } from './read-tile.ts';

type Position = readonly [x: number, y: number];

interface TestFeature {
  readonly type: 1 | 2 | 3;
  readonly parts: readonly (readonly Position[])[];
}

interface TestLayer {
  readonly name: string;
  readonly extent: number;
  readonly features: readonly TestFeature[];
}

function field(out: ByteWriter, number: number, content: ByteWriter): void {
  writeVarint(out, (number << 3) | 2);
  writeVarint(out, content.length);
  writeBytes(out, content.bytes, 0, content.length);
}

function message(write: (out: ByteWriter) => void): ByteWriter {
  const out = createByteWriter(64);
  write(out);
  return out;
}

function integer(out: ByteWriter, number: number, value: number): void {
  writeVarint(out, number << 3);
  writeVarint(out, value);
}

function geometryOf({ type, parts }: TestFeature): ByteWriter {
  return message((out) => {
    let pen: Position = [0, 0];
    const draw = ([x, y]: Position): void => {
      writeZigzag(out, x - pen[0]);
      writeZigzag(out, y - pen[1]);
      pen = [x, y];
    };
    for (const [first, ...others] of type === 1 ? parts.flat().map((position) => [position]) : parts) {
      writeVarint(out, 1 | (1 << 3));
      draw(first!);
      if (others.length > 0) writeVarint(out, 2 | (others.length << 3));
      for (const position of others) draw(position);
      if (type === 3) writeVarint(out, 7 | (1 << 3));
    }
  });
}

function tileOf(layers: readonly TestLayer[]): Uint8Array {
  const text = new TextEncoder();
  const tile = message((out) => {
    for (const layer of layers) {
      const content = message((inner) => {
        const name = text.encode(layer.name);
        integer(inner, 15, 2);
        field(inner, 1, { bytes: name, length: name.length });
        for (const feature of layer.features) {
          const of = message((body) => {
            integer(body, 1, 2 ** 40);
            integer(body, 3, feature.type);
            field(body, 4, geometryOf(feature));
          });
          field(inner, 2, of);
        }
        integer(inner, 5, layer.extent);
      });
      field(out, 3, content);
    }
  });
  return tile.bytes.subarray(0, tile.length);
}

const part = (minLength: number) =>
  fc.array(fc.tuple(fc.integer({ min: -5000, max: 9000 }), fc.integer({ min: -5000, max: 9000 })), {
    minLength,
    maxLength: 30,
  });
const feature: fc.Arbitrary<TestFeature> = fc.oneof(
  fc.record({ type: fc.constant(1 as const), parts: fc.array(part(1), { minLength: 1, maxLength: 1 }) }),
  fc.record({ type: fc.constant(2 as const), parts: fc.array(part(2), { minLength: 1, maxLength: 4 }) }),
  fc.record({ type: fc.constant(3 as const), parts: fc.array(part(3), { minLength: 1, maxLength: 4 }) }),
);
const layers = fc.uniqueArray(
  fc.record({
    name: fc.string({ maxLength: 8 }),
    extent: fc.integer({ min: 1, max: 8192 }),
    features: fc.array(feature, { minLength: 1, maxLength: 8 }),
  }),
  { selector: ({ name }) => name, minLength: 1, maxLength: 4 },
);

function read(bytes: Uint8Array): TestLayer[] {
  return readTile(bytes).map((layer) => {
    const features: TestFeature[] = [];
    layer.visitGeometries(({ type, coordinates, partEnds }) => {
      const parts = partEnds.map((end, i) =>
        Array.from({ length: end - (partEnds[i - 1] ?? 0) }, (_, j): Position => {
          const at = ((partEnds[i - 1] ?? 0) + j) * 2;
          return [coordinates[at]!, coordinates[at + 1]!];
        }),
      );
      features.push({ type, parts });
    });
    return { name: layer.name, extent: layer.extent, features };
  });
}

function readWithOracle(bytes: Uint8Array): TestLayer[] {
  return Object.values(new VectorTile(new PbfReader(bytes)).layers).map((layer) => ({
    name: layer.name,
    extent: layer.extent,
    features: Array.from({ length: layer.length }, (_, i): TestFeature => {
      const one = layer.feature(i);
      const type = one.type as TestFeature['type'];
      const parts = one.loadGeometry().map((positions) => positions.map(({ x, y }): Position => [x, y]));
      if (type === 1) return { type, parts: [parts.flat()] };
      return { type, parts: type === 3 ? parts.map((ring) => ring.slice(0, -1)) : parts };
    }),
  }));
}

const byName = (all: TestLayer[]) => all.toSorted((a, b) => (a.name < b.name ? -1 : 1));

test('the reader agrees with @mapbox/vector-tile', () => {
  fc.assert(
    fc.property(layers, (given) => {
      const bytes = tileOf(given);
      assert.deepEqual(byName(read(bytes)), byName(readWithOracle(bytes)));
      assert.deepEqual(read(bytes), JSON.parse(JSON.stringify(given)));
    }),
    { seed: 3, numRuns: 200 },
  );
});

test('damaged tiles are refused or read, and never crash', () => {
  fc.assert(
    fc.property(
      layers,
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 }),
      fc.nat(),
      (given, changes, cut) => {
        const bytes = tileOf(given).slice();
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        try {
          read(bytes.subarray(0, cut % 3 === 0 ? cut % bytes.length : bytes.length));
        } catch (error) {
          assert.ok(error instanceof TileError, String(error));
        }
      },
    ),
    { seed: 4, numRuns: 2000 },
  );
});

test('a false count of positions allocates nothing', () => {
  const geometry = message((out) => {
    writeVarint(out, 1 | (0x1fffffff << 3));
    writeZigzag(out, 1);
  });
  const bytes = message((out) =>
    field(
      out,
      3,
      message((layer) =>
        field(
          layer,
          2,
          message((body) => {
            integer(body, 3, 2);
            field(body, 4, geometry);
          }),
        ),
      ),
    ),
  );
  assert.throws(() => read(bytes.bytes.subarray(0, bytes.length)), new TileError('it is cut off'));
});
