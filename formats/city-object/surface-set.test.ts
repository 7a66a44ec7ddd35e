import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSurfaceSet, leaveBlock, pushPosition3d, type SurfaceSet } from './surface-set.ts';

const positionsOf = ({ positions, positionCount }: SurfaceSet) => [
  ...positions.subarray(0, 3 * positionCount),
];

test('sets that grow by turns in the same memory keep their own positions', () => {
  const sets = Array.from({ length: 50 }, createSurfaceSet);
  const expected = sets.map((): number[] => []);
  for (let round = 0; round < 300; round++) {
    const at = (round * 7) % sets.length;
    for (let i = 0; i <= round % 40; i++) {
      const position = [at, round, i] as const;
      pushPosition3d(sets[at]!, ...position);
      expected[at]!.push(...position);
    }
    if (round % 11 === 0) leaveBlock(sets[at]!);
  }
  assert.deepEqual(sets.map(positionsOf), expected);
});

test('a set that is kept holds no memory of others, and can grow, also from nothing', () => {
  const [before, kept, after] = [createSurfaceSet(), createSurfaceSet(), createSurfaceSet()];
  assert.ok([before, after].some(({ positions }) => positions.buffer === kept.positions.buffer));
  leaveBlock(kept);
  assert.ok(kept.positions.buffer.byteLength < 1000);
  for (let i = 0; i < 100; i++) pushPosition3d(kept, i, i, i);
  leaveBlock(kept);
  assert.equal(kept.positions.buffer.byteLength, 8 * 300);
  pushPosition3d(kept, 100, 100, 100);
  assert.deepEqual(
    positionsOf(kept),
    Array.from({ length: 303 }, (_, i) => Math.floor(i / 3)),
  );
});
