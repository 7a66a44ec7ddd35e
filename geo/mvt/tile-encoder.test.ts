import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VectorTile } from '@mapbox/vector-tile';
import fc from 'fast-check';
import { PbfReader } from 'pbf';
import { buildShape } from '../shape/build-shape.ts';
import { lineType, pointType, polygonType, type ShapeType } from '../shape/shape.ts';
import { createInt32Buffer } from '../shape/int32-buffer.ts';
import { worldSize } from '../tile/world-grid.ts';
import { hashOfValue } from './attributes.ts';
import { extent, geometryOf, keys, limits, recordOf } from './testing.ts';
import { createTileEncoder } from './tile-encoder.ts';
import { decode, encode, maxZoom, shiftAt } from './testing-tile.ts';

test('attributes and ids keep their values and types, however many there are', () => {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.nat({ max: 9 }).map((digit) => String(digit).repeat(5000)),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), value, { maxKeys: 400 }), (attributes) => {
      const record = recordOf(pointType, [[[[worldSize / 3, worldSize / 3]]]], attributes);
      const bytes = encode({ z: 0, x: 0, y: 0 }, record, 0)!;
      const feature = new VectorTile(new PbfReader(bytes)).layers['test']!.feature(0);
      const wanted = Object.entries(attributes).map(([key, given]) => [
        key,
        Object.is(given, -0) ? 0 : given,
      ]);
      assert.deepEqual({ ...feature.properties }, Object.fromEntries(wanted));
      assert.equal(feature.id, 2 ** 32 + 7);
    }),
    { numRuns: 300 },
  );
});

test('a small tile matches the specification byte for byte', () => {
  const five = [2, 0x28, 5];
  const store = createInt32Buffer(1024);
  store.words.set([0, lineType | 4, 3, 0, 1, 3, 0, 0, hashOfValue(Uint8Array.from(five), 0, 3)]);
  store.bytes.set(five, 9 * 4);
  store.length = 10;
  const middle = worldSize / 2;
  const line = geometryOf([
    [
      [
        [middle, middle],
        [middle + 2 ** 18 * 10, middle + 2 ** 18 * 20],
      ],
    ],
  ]);
  const { shape } = buildShape(store, lineType, line, {
    isMercator: false,
    crossesAntimeridian: false,
    limits,
  });
  const encoder = createTileEncoder({
    extent,
    buffer: 0,
    maxZoom: 0,
    dustLength: 3,
    dustArea: 16,
    repair: true,
    layers: ['l'],
    keys: ['k'],
    maxTileBytes: 1e6,
  });
  encoder.begin(0, 0, 0);
  assert.equal(encoder.add(store, 0, shape), 'added');
  const golden =
    '1a23' +
    '7802' +
    '0a016c' + // layer of 35 bytes, version 2, name "l"
    '1212' +
    '0803' +
    '12020000' +
    '1802' +
    '2208' +
    '098020' +
    '8020' +
    '0a1428' + // id 3, tags 0 0, line, commands
    '1a016b' +
    '22022805' +
    '288020'; // key "k", value uint 5, extent 4096
  assert.equal(Buffer.from(encoder.finish()!).toString('hex'), golden);
});

test('a full tile refuses further features and stays valid', () => {
  const encoder = createTileEncoder({
    extent,
    buffer: 0,
    maxZoom,
    dustLength: 3,
    dustArea: 16,
    repair: true,
    layers: ['test'],
    keys: keys.names,
    maxTileBytes: 300,
  });
  encoder.begin(0, 0, 0);
  const { store, record, shape } = recordOf(pointType, [[[[worldSize / 3, worldSize / 3]]]]);
  const outcomes = Array.from({ length: 100 }, () => encoder.add(store, record, shape));
  assert.ok(outcomes.includes('full'));
  const added = outcomes.filter((outcome) => outcome === 'added').length;
  assert.equal(decode(encoder.finish()).length, added);
});

test('a thousand polygons too small to draw keep their total area', () => {
  const z = 5;
  const unit = 2 ** shiftAt(z);
  const encoder = createTileEncoder({
    extent,
    buffer: 0,
    maxZoom,
    dustLength: 3,
    dustArea: 16,
    repair: true,
    layers: ['test'],
    keys: keys.names,
    maxTileBytes: 1e6,
  });
  const tile = { z, x: 10, y: 10 };
  encoder.begin(z, tile.x, tile.y);
  const side = 2;
  for (let i = 0; i < 1000; i++) {
    const x = (tile.x * extent + 50 + (i % 40) * 100) * unit;
    const y = (tile.y * extent + 50 + Math.floor(i / 40) * 100) * unit;
    const s = side * unit;
    const speck = recordOf(polygonType, [
      [
        [
          [x, y],
          [x + s, y],
          [x + s, y + s],
          [x, y + s],
        ],
      ],
    ]);
    encoder.add(speck.store, speck.record, speck.shape);
  }
  const squares = decode(encoder.finish());
  assert.equal(squares.length * 16, 1000 * side * side);
});

test('at the highest zoom no feature is dropped, however small', () => {
  const at = worldSize / 3;
  const tile = { z: maxZoom, x: Math.floor(2 ** maxZoom / 3), y: Math.floor(2 ** maxZoom / 3) };
  const dot = (type: ShapeType) =>
    recordOf(type, [
      [
        [
          [at, at],
          [at + 1, at],
          [at + 1, at + 1],
          [at, at],
        ],
      ],
    ]);
  assert.equal(decode(encode(tile, dot(polygonType), 0)).length, 1);
  assert.equal(decode(encode(tile, dot(lineType), 0)).length, 1);
});
