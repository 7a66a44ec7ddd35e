import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VectorTile } from '@mapbox/vector-tile';
import fc from 'fast-check';
import { PbfReader } from 'pbf';
import { traceContours } from './contour-lines.ts';
import { contourExtent, contourLayer, createContourTiler } from './contour-tile.ts';
import { hilbertCell } from '../hilbert/hilbert.ts';
import { createContourPieces } from './contour-pieces.ts';
import { createContourJoiner } from './join-contours.ts';
import { roughHeights } from './testing.ts';

type Position = readonly [x: number, y: number];

interface Traced {
  readonly level: number;
  readonly positions: readonly Position[];
  readonly isClosed: boolean;
}

function trace(cells: Float32Array, side: number, interval: number): Traced[] {
  const lines: Traced[] = [];
  const whole = traceContours({ cells, side, interval, maxPieces: 1e6 }, (line) => {
    const positions = Array.from(
      { length: line.count },
      (_, i) => [line.positions[i * 2]!, line.positions[i * 2 + 1]!] as const,
    );
    lines.push({ level: line.level, positions, isClosed: line.isClosed });
  });
  assert.ok(whole);
  return lines;
}

const side = 9;
const heights = fc.array(fc.oneof(fc.integer({ min: -30, max: 30 }), fc.constant(NaN)), {
  minLength: side * side,
  maxLength: side * side,
});

test('lines are at their height, end only at the border or beside a missing height, and each edge is crossed as often as heights lie between its cells', () => {
  fc.assert(
    fc.property(heights, fc.constantFrom(1, 2.5, 7), (values, interval) => {
      const cells = Float32Array.from(values);
      const crossed = new Map<string, number>();
      const isMissing = (column: number, row: number): boolean =>
        column < 0 || row < 0 || column >= side || row >= side || Number.isNaN(cells[row * side + column]!);
      /** Whether a square beside the edge has not all four corners. */
      const isBorder = ([x, y]: Position): boolean => {
        const [column, row] = [Math.floor(x), Math.floor(y)];
        const squares: readonly Position[] =
          x % 1 !== 0
            ? [
                [column, row - 1],
                [column, row],
              ]
            : [
                [column - 1, row],
                [column, row],
                [column - 1, row - 1],
                [column, row - 1],
              ];
        return squares.some(([c, r]) => [0, 1].some((i) => [0, 1].some((j) => isMissing(c + i, r + j))));
      };
      for (const { level, positions, isClosed } of trace(cells, side, interval)) {
        assert.ok(positions.length >= 2);
        for (const [i, [x, y]] of positions.entries()) {
          const [column, row] = [Math.floor(x), Math.floor(y)];
          const [right, down] = [x - column, y - row];
          assert.ok(right === 0 || down === 0, 'positions lie on the lines between cells');
          const start = cells[row * side + column]!;
          const end = cells[Math.ceil(y) * side + Math.ceil(x)]!;
          const height = start + (end - start) * (right + down);
          assert.ok(Math.abs(height - level * interval) < 1e-4, `${height} instead of ${level * interval}`);
          if (isClosed && i === 0) continue;
          crossed.set(`${x} ${y}`, (crossed.get(`${x} ${y}`) ?? 0) + 1);
        }
        if (isClosed) assert.deepEqual(positions.at(-1), positions[0]);
        else for (const end of [positions[0]!, positions.at(-1)!]) assert.ok(isBorder(end), String(end));
      }
      const total = [...crossed.values()].reduce((sum, count) => sum + count, 0);
      assert.equal(total, crossingsOf(cells, interval));
    }),
  );
});

/** How many lines cross the edges of all squares that have four heights. */
function crossingsOf(cells: Float32Array, interval: number): number {
  const edges = new Map<string, number>();
  for (let row = 0; row < side - 1; row++) {
    for (let column = 0; column < side - 1; column++) {
      const corners = [0, 1, side + 1, side].map((offset) => row * side + column + offset);
      if (corners.some((corner) => Number.isNaN(cells[corner]!))) continue;
      for (const [i, corner] of corners.entries()) {
        const other = corners[(i + 1) % 4]!;
        const levels = [corner, other].map((one) => Math.floor(cells[one]! / interval));
        edges.set(
          [Math.min(corner, other), Math.max(corner, other)].join(' '),
          Math.abs(levels[0]! - levels[1]!),
        );
      }
    }
  }
  return [...edges.values()].reduce((sum, count) => sum + count, 0);
}

test('a hill is a closed ring with the higher ground on its left', () => {
  const cells = Float32Array.from(
    { length: 81 },
    (_, i) => 50 - 10 * Math.hypot((i % 9) - 4, Math.floor(i / 9) - 4),
  );
  const lines = trace(cells, 9, 20).filter(({ level }) => level === 2);
  assert.equal(lines.length, 1);
  assert.ok(lines[0]!.isClosed);
  const { positions } = lines[0]!;
  let twice = 0;
  for (let i = 1; i < positions.length; i++)
    twice += positions[i - 1]![0] * positions[i]![1] - positions[i]![0] * positions[i - 1]![1];
  assert.ok(twice < 0, 'counter-clockwise on a map, as rows count downwards');
});

test('more pieces than allowed are refused', () => {
  const cells = Float32Array.from({ length: 81 }, (_, i) => i * 1000);
  assert.equal(
    traceContours({ cells, side: 9, interval: 0.1, maxPieces: 1000 }, () => assert.fail('a line')),
    false,
  );
});

const tileSide = 32;
const margin = 4;

/** Features of a tile of endless rough ground: by elevation, their lines. */
function linesOfTile(seed: number, x: number, tolerance: number): Map<number, Position[][]> {
  const tiler = createContourTiler({ side: tileSide, margin, interval: 20, tolerance, maxPieces: 1e6 });
  const heightAt = roughHeights(seed, 200);
  const width = tileSide + 2 * margin;
  const cells = Float32Array.from({ length: width * width }, (_, i) =>
    heightAt(x * tileSide + (i % width) - margin, Math.floor(i / width) - margin),
  );
  const tile = tiler(cells, { z: 8, x, y: 0 }, 1);
  assert.ok(tile !== undefined && tile !== 'tooMany');
  const layer = new VectorTile(new PbfReader(tile.bytes)).layers[contourLayer]!;
  assert.equal(layer.extent, contourExtent);
  const lines = new Map<number, Position[][]>();
  for (let i = 0; i < layer.length; i++) {
    const feature = layer.feature(i);
    const elevation = feature.properties['elevation'] as number;
    assert.equal(feature.properties['isIndex'], elevation % 100 === 0);
    assert.ok(!lines.has(elevation));
    lines.set(
      elevation,
      feature.loadGeometry().map((line) => line.map((at) => [at.x, at.y] as const)),
    );
  }
  return lines;
}

test('tiles side by side have the same ends of lines at their common edge', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
      const endsAt = (x: number, edge: number) =>
        [...linesOfTile(seed, x, 2)].flatMap(([elevation, lines]) =>
          lines.flatMap((line) =>
            [line[0]!, line.at(-1)!].flatMap((end) => (end[0] === edge ? [`${elevation}: ${end[1]}`] : [])),
          ),
        );
      const [west, east] = [new Set(endsAt(100, contourExtent)), new Set(endsAt(101, 0))];
      assert.deepEqual([...west].toSorted(), [...east].toSorted());
    }),
  );
});

test('simplified lines stay within the tolerance', () => {
  const exact = linesOfTile(5, 3, 0.01);
  for (const tolerance of [1, 8]) {
    for (const [elevation, lines] of linesOfTile(5, 3, tolerance)) {
      const simple = lines.flatMap((line) => line.slice(1).map((end, i) => [line[i]!, end] as const));
      for (const position of exact.get(elevation)!.flat()) {
        const away = Math.min(...simple.map((piece) => distance(position, piece)));
        // both are rounded to whole units
        assert.ok(away <= tolerance + 1.5, `${elevation} m at ${String(position)}: ${away} units away`);
      }
    }
  }
});

function distance([x, y]: Position, [[ax, ay], [bx, by]]: readonly [Position, Position]): number {
  const [dx, dy] = [bx - ax, by - ay];
  const along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1);
  const share = Math.max(0, Math.min(1, along));
  return Math.hypot(x - ax - dx * share, y - ay - dy * share);
}

/** Lines of tiles, put together, and those of all cells at once. */
function joinedAndWhole(
  heightAt: (column: number, row: number) => number,
  limits: { maxPositions: number; maxWaiting: number },
) {
  const [side, tiles, extent, interval] = [8, 4, 1 << 12, 10];
  const margin = 4;
  const size = side * tiles;
  const window = (left: number, top: number, cells: number): Float32Array =>
    Float32Array.from({ length: cells ** 2 }, (_, i) => {
      const [column, row] = [left + (i % cells), top + Math.floor(i / cells)];
      const isInside = column >= 0 && row >= 0 && column < size && row < size;
      return isInside ? heightAt(column, row) : NaN;
    });
  const common = { margin, interval, tolerance: 0, maxPieces: 1e6 };
  const joined: Line[] = [];
  const joiner = createContourJoiner({ extent, ...limits }, (level, xy, count) =>
    joined.push(lineOf(level, xy, count)),
  );
  const trace = createContourPieces({ ...common, side, extent });
  for (let id = 0; id < tiles ** 2; id++) {
    const [x, y] = hilbertCell(Math.log2(tiles), id);
    const cells = window(x * side - margin, y * side - margin, side + 2 * margin);
    trace(cells, 1, (level, xy, count) =>
      joiner.add({ z: 2, x, y }, level, Int32Array.from(xy.subarray(0, count * 2))),
    );
  }
  joiner.finish();
  const whole: Line[] = [];
  createContourPieces({ ...common, side: size, extent: extent * tiles })(
    window(-margin, -margin, size + 2 * margin),
    1,
    (level, xy, count) => whole.push(lineOf(level, xy, count)),
  );
  return { joined, whole };
}

interface Line {
  readonly level: number;
  readonly isRing: boolean;
  readonly length: number;
}

function lineOf(level: number, xy: Float64Array, count: number): Line {
  let length = 0;
  for (let i = 2; i < count * 2; i += 2) length += Math.hypot(xy[i]! - xy[i - 2]!, xy[i + 1]! - xy[i - 1]!);
  const isRing = xy[0] === xy[count * 2 - 2] && xy[1] === xy[count * 2 - 1];
  return { level, isRing, length };
}

const manyWaiting = { maxPositions: 1e6, maxWaiting: 1e6 };
/** Of each level, the number of lines and of rings. */
const countsOf = (lines: readonly Line[]) =>
  [...new Set(lines.map(({ level }) => level))]
    .toSorted((a, b) => a - b)
    .map((level) => {
      const own = lines.filter((line) => line.level === level);
      return [level, own.length, own.filter(({ isRing }) => isRing).length];
    });
const lengthOf = (lines: readonly Line[]): number => lines.reduce((sum, { length }) => sum + length, 0);

test('lines of tiles, joined, are those of all cells at once', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const rough = roughHeights(seed, 120);
    const { joined, whole } = joinedAndWhole(rough, manyWaiting);
    assert.ok(joined.length > 20);
    assert.deepEqual(countsOf(joined), countsOf(whole));
    assert.ok(Math.abs(lengthOf(joined) / lengthOf(whole) - 1) < 1e-3);
  }
});

test('long lines are divided, and lines that wait for too long end, without losing a part', () => {
  const rough = roughHeights(3, 120);
  const { joined } = joinedAndWhole(rough, manyWaiting);
  for (const limits of [
    { ...manyWaiting, maxPositions: 20 },
    { ...manyWaiting, maxWaiting: 100 },
  ]) {
    const divided = joinedAndWhole(rough, limits).joined;
    assert.ok(divided.length > joined.length);
    assert.ok(Math.abs(lengthOf(divided) / lengthOf(joined) - 1) < 1e-9);
  }
});
