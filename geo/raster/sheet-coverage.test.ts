import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverageOf, type Quad } from './sheet-coverage.ts';

const square = (x: number, y: number, side = 1): Quad => [x, y, x + side, y, x + side, y + side, x, y + side];

const grid = (columns: number, rows: number): Quad[] =>
  Array.from({ length: columns * rows }, (_, i) => square(i % columns, Math.floor(i / columns)));

test('sheets that abut leave no gap and do not overlap, and have one outline of four corners', () => {
  const { outlines, gaps, gapShare, overlapShare } = coverageOf(grid(7, 5));
  assert.deepEqual([gaps, gapShare, overlapShare], [[], 0, 0]);
  assert.deepEqual(outlines, [[0, 0, 7, 0, 7, 5, 0, 5]]);
});

test('missing sheets within others are gaps, the largest first, and those at the edge are not', () => {
  const sheets = grid(6, 6).filter((_, i) => ![0, 8, 20, 21].includes(i));
  const { outlines, gaps, gapShare } = coverageOf(sheets);
  assert.equal(outlines.length, 1);
  assert.equal(outlines[0]!.length / 2, 6, 'a corner is missing');
  assert.deepEqual(
    gaps.map((ring) => ring.length / 2),
    [4, 4],
  );
  assert.ok(Math.abs(Math.min(...gaps[0]!.filter((_, i) => i % 2 === 0)) - 2) < 1e-9);
  assert.ok(Math.abs(gapShare - 3 / 32) < 1e-9);
});

test('sheets that touch at a corner alone have two outlines', () => {
  const { outlines } = coverageOf([square(0, 0), square(1, 1)]);
  assert.equal(outlines.length, 2);
});

test('overlaps are counted once, whatever the direction of the corners', () => {
  const turned: Quad = [0.5, 0, 0.5, 1, 1.5, 1, 1.5, 0];
  const { overlapShare } = coverageOf([square(0, 0), turned]);
  assert.ok(Math.abs(overlapShare - 1 / 3) < 0.02, String(overlapShare));
});

test('rotated sheets that abut leave no gap', () => {
  const [cos, sin] = [Math.cos(0.3), Math.sin(0.3)];
  const sheets = grid(9, 9).map((quad) =>
    quad.map((_, i) =>
      i % 2 === 0 ? quad[i]! * cos - quad[i + 1]! * sin : quad[i - 1]! * sin + quad[i]! * cos,
    ),
  ) as unknown as Quad[];
  const { gaps, overlapShare, outlines } = coverageOf(sheets);
  assert.deepEqual([gaps.length, outlines.length], [0, 1]);
  assert.ok(overlapShare < 0.01, String(overlapShare));
});

test('10,000 sheets and one in another country stay on a bounded grid, and none is lost', () => {
  const { outlines } = coverageOf([...grid(100, 100), square(90_000, 40_000)]);
  assert.equal(outlines.length, 2);
  assert.equal(coverageOf(grid(100, 100)).gaps.length, 0);
});
