import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VectorTile } from '@mapbox/vector-tile';
import fc from 'fast-check';
import { PbfReader, PbfWriter } from 'pbf';
import { readTile, TileError } from './read-tile.ts';

type Write = (value: PbfWriter) => void;

/** A tile of one point with an attribute for each value. */
function tileOf(values: readonly Write[], tags = values.flatMap((_, i) => [i, i])): Uint8Array {
  const out = new PbfWriter();
  out.writeMessage(
    3,
    (_, layer) => {
      layer.writeVarintField(15, 2);
      layer.writeStringField(1, 'places');
      layer.writeMessage(
        2,
        (__, feature) => {
          feature.writePackedVarint(2, tags);
          feature.writeVarintField(3, 1);
          feature.writePackedVarint(4, [9, 2, 2]);
        },
        undefined,
      );
      for (const [i, write] of values.entries()) {
        layer.writeStringField(3, `a${i}`);
        layer.writeMessage(4, (__, value) => write(value), undefined);
      }
    },
    undefined,
  );
  return out.finish();
}

function attributesOf(tile: Uint8Array): Record<string, unknown> {
  let found: Record<string, unknown> = {};
  readTile(tile)[0]!.visitFeatures((_, attributes) => (found = Object.fromEntries(attributes())));
  return found;
}

test('attributes of any type are read as another reader of tiles reads them', () => {
  const value = fc.oneof(
    fc.string().map(
      (text): Write =>
        (out) =>
          out.writeStringField(1, text),
    ),
    fc.float({ noNaN: true }).map(
      (number): Write =>
        (out) =>
          out.writeFloatField(2, number),
    ),
    fc.double({ noNaN: true }).map(
      (number): Write =>
        (out) =>
          out.writeDoubleField(3, number),
    ),
    fc.maxSafeInteger().map(
      (number): Write =>
        (out) =>
          out.writeVarintField(4, number),
    ),
    fc.nat({ max: Number.MAX_SAFE_INTEGER }).map(
      (number): Write =>
        (out) =>
          out.writeVarintField(5, number),
    ),
    fc.integer().map(
      (number): Write =>
        (out) =>
          out.writeSVarintField(6, number),
    ),
    fc.boolean().map(
      (is): Write =>
        (out) =>
          out.writeBooleanField(7, is),
    ),
  );
  const check = (values: Write[]) => {
    const tile = tileOf(values);
    const other = new VectorTile(new PbfReader(tile)).layers['places']!.feature(0).properties;
    assert.deepEqual(attributesOf(tile), { ...other });
  };
  fc.assert(fc.property(fc.array(value, { maxLength: 8 }), check));
});

test('values without content are left out, and tags that lead nowhere are an error', () => {
  assert.deepEqual(attributesOf(tileOf([() => {}, (out) => out.writeStringField(1, 'x')])), { a1: 'x' });
  assert.throws(() => attributesOf(tileOf([], [3, 4])), TileError);
});
