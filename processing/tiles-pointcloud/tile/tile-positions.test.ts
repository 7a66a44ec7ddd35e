import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Cloud } from '@platen/geo/point-tree/cloud';
import { unitsPerMetre } from '../place/root-cube.ts';
import { positionsOf } from './tile-positions.ts';

function place(points: readonly (readonly number[])[], precisionMetres: number) {
  const columns = [0, 1, 2].map((axis) => Uint32Array.from(points, (point) => point[axis]!));
  const cloud: Cloud = { columns, count: points.length };
  const box = [
    ...columns.map((column) => Math.min(...column)),
    ...columns.map((column) => Math.max(...column)),
  ];
  const numbers = Uint32Array.from(points, (_, i) => i);
  return positionsOf(cloud, numbers, box, { root: { corner: [0, 0, 0] }, settings: { precisionMetres } });
}

function placesOf(positions: ReturnType<typeof place>): number[][] {
  const { kind, values } = positions;
  const from = kind === 'quantized' ? positions.offset : positions.centre;
  const factors = kind === 'quantized' ? positions.scale.map((size) => size / 65_535) : [1, 1, 1];
  return Array.from({ length: values.length / 3 }, (_, i) =>
    [0, 1, 2].map((axis) => from[axis]! + values[i * 3 + axis]! * factors[axis]!),
  );
}

test('a place is nowhere farther from its own than the precision, units included, and its box is the one that viewers get', () => {
  const unitMetres = Math.sqrt(3) / 2 / unitsPerMetre;
  const kinds = new Set<string>();
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 24 }).chain((bits) => {
        const axis = fc.nat(2 ** bits);
        return fc.array(fc.tuple(axis, axis, axis), { minLength: 1, maxLength: 40 });
      }),
      fc.constantFrom(0.001, 0.005, 0.1, 1),
      (points, precision) => {
        const positions = place(points, precision);
        kinds.add(positions.kind);
        for (const [i, found] of placesOf(positions).entries()) {
          const moved = Math.hypot(...found.map((value, axis) => value - points[i]![axis]! / unitsPerMetre));
          assert.ok(moved + unitMetres <= precision + 1e-9, `${moved} with ${precision}`);
        }
        if (positions.kind !== 'quantized') return;
        for (const [axis, size] of positions.scale.entries()) {
          const values = points.map((point) => point[axis]! / unitsPerMetre);
          const own = Math.max(1 / unitsPerMetre, Math.max(...values) - Math.min(...values));
          assert.ok(size >= own && size <= own * 2);
        }
      },
    ),
  );
  assert.deepEqual([...kinds].toSorted(), ['float', 'quantized']);
});

test('bits that the precision does not need are 0, and points close to each other keep more', () => {
  const side = 200;
  const plane = (distance: number) =>
    Array.from({ length: side ** 2 }, (_, i) => [
      (i % side) * distance,
      Math.floor(i / side) * distance,
      i % 97,
    ]);
  const lowBits = (positions: ReturnType<typeof place>): number => {
    assert.equal(positions.kind, 'quantized');
    const all = positions.values.reduce((bits, value, i) => (i % 3 < 2 ? bits | value : bits), 0);
    return Math.log2(all & -all);
  };
  // 40 m in steps of 5 mm at most, 40 m in steps of 25 cm, 0.6 m in steps of 0.2 mm
  assert.equal(lowBits(place(plane(205), 0.005)), 2);
  assert.equal(lowBits(place(plane(205), 1)), 4);
  assert.equal(lowBits(place(plane(3), 0.005)), 4);
  const dense = plane(3);
  for (const [i, found] of placesOf(place(dense, 0.005)).entries())
    for (const axis of [0, 1])
      assert.ok(Math.abs(found[axis]! * unitsPerMetre - dense[i]![axis]!) <= 3 / 32 + 1e-9);
});
