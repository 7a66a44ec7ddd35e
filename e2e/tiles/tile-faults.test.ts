import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PbfWriter } from 'pbf';
import { faultsOf } from './testing-tile-faults.ts';

const zigzag = (value: number) => (value << 1) ^ (value >> 31);
const ring = (...steps: [number, number][]) => {
  const [first, ...rest] = steps.map((step) => step.map(zigzag));
  return [9, ...first!, (rest.length << 3) | 2, ...rest.flat(), 15];
};
const square = ring([0, 0], [8, 0], [0, 8], [-8, 0]);

interface Given {
  readonly version?: number;
  readonly id?: number;
  readonly tags?: number[];
  readonly geometry?: number[];
  readonly keys?: string[];
}

function tileOf({ version = 2, id = 1, tags = [0, 0], geometry = square, keys = ['a'] }: Given): Uint8Array {
  const pbf = new PbfWriter();
  pbf.writeMessage(
    3,
    (_none, layer) => {
      layer.writeVarintField(15, version);
      layer.writeStringField(1, 'land');
      layer.writeMessage(
        2,
        (_nothing, feature) => {
          if (id > 0) feature.writeVarintField(1, id);
          feature.writePackedVarint(2, tags);
          feature.writeVarintField(3, 3);
          feature.writePackedVarint(4, geometry);
        },
        undefined,
      );
      for (const key of keys) layer.writeStringField(3, key);
      layer.writeMessage(4, (_nothing, value) => value.writeStringField(1, 'b'), undefined);
      layer.writeVarintField(5, 4096);
    },
    undefined,
  );
  return pbf.finish();
}

const faults = (given: Given) => faultsOf(tileOf(given), { extent: 4096, buffer: 0 });

test('a right tile has no fault, and each wrong one has its own', () => {
  assert.deepEqual(faults({}), []);
  const wrong: [Given, RegExp][] = [
    [{ version: 1 }, /version 1/],
    [{ id: 0 }, /no id/],
    [{ tags: [0] }, /a key without a value/],
    [{ tags: [0, 1] }, /beyond the keys or values/],
    [{ tags: [0, 0, 0, 0] }, /“a” twice/],
    [{ keys: ['a', 'a'] }, /a key twice/],
    [{ keys: ['a', 'c'] }, /1 keys that nothing uses/],
    [{ geometry: [] }, /no ring/],
    [{ geometry: ring([0, 0], [0, 8], [8, 0], [0, -8]) }, /begins with a hole/],
    [{ geometry: ring([0, 0], [8, 0], [-4, 0]) }, /without area/],
    [{ geometry: ring([0, 0], [8, 0], [0, 0], [0, 8]) }, /a vertex twice/],
    [{ geometry: ring([0, 0], [8, 0], [0, 8], [-8, -8]) }, /a vertex twice/],
    [{ geometry: ring([0, 0], [4097, 0], [0, 8]) }, /beyond the buffer/],
    [{ geometry: square.slice(0, -1) }, /not closed/],
    [{ geometry: [...square, 11, 0, 0] }, /two points|command/],
    [{ geometry: [9, 0, 0, 1002, 2, 2] }, /command 2 × 125/],
  ];
  for (const [given, fault] of wrong) assert.match(faults(given).join(), fault, JSON.stringify(given));
});
