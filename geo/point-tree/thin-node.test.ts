import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createThinner } from './thin-node.ts';

const voxelShift = 8;
const size = 2 ** voxelShift;
const voxelsAlong = 12;

/** Points of a plane, many in each voxel, voxel by voxel. */
function densePlane(step: number): { readonly xs: Uint32Array; readonly ys: Uint32Array } {
  const count = Math.floor((voxelsAlong * size) / step);
  const voxelOf = ([x, y]: readonly [number, number]): number =>
    (x >> voxelShift) * voxelsAlong + (y >> voxelShift);
  const places = Array.from(
    { length: count ** 2 },
    (_, i) => [(i % count) * step, Math.floor(i / count) * step] as const,
  ).toSorted((a, b) => voxelOf(a) - voxelOf(b));
  return { xs: Uint32Array.from(places, ([x]) => x), ys: Uint32Array.from(places, ([, y]) => y) };
}

test('chosen points are apart, and as near to all others as the squares that viewers draw', () => {
  const { xs, ys } = densePlane(15);
  const cloud = { columns: [xs, ys, new Uint32Array(xs.length).fill(300)], count: xs.length };
  const all = Uint32Array.from(xs, (_, i) => i);
  const chosen = [...createThinner([0, 0, 0]).choose(cloud, all, voxelShift)];
  const off = (one: number, other: number): [number, number] => [
    xs[one]! - xs[other]!,
    ys[one]! - ys[other]!,
  ];
  for (const one of chosen)
    for (const other of chosen)
      assert.ok(one === other || Math.hypot(...off(one, other)) >= 0.7 * size, `${one} and ${other}`);
  const lonely = all.filter((point) =>
    chosen.every((other) => Math.max(...off(point, other).map(Math.abs)) > 1.05 * size),
  );
  assert.equal(lonely.length, 0, `${lonely.length} points are in holes`);
});
