import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { afterFile } from '../../../checks/clean-up.ts';
import { findCollar } from './find-collar.ts';
import { writeRows } from './row-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-collar-'));
afterFile(() => rm(folder, { recursive: true, force: true }));

type Shade = (x: number, y: number) => number;

interface Size {
  readonly width: number;
  readonly height: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
}

/** Which pixels of a grey image are its collar. */
async function collarOf(shade: Shade, size: Size, isLight = false): Promise<boolean[] | undefined> {
  const rows = await findCollar({
    ...size,
    isDark: !isLight,
    isLight,
    tolerance: 10,
    writeRows: (name, height) => writeRows(join(folder, `scan-${name}`), height),
    read: async ({ column, row, width, height }) =>
      Uint8Array.from({ length: width * height * 4 }, (_, i) => {
        const [x, y] = [column + ((i >> 2) % width), row + Math.floor((i >> 2) / width)];
        return (i & 3) === 3 ? 255 : shade(x, y);
      }),
  });
  if (!rows) return undefined;
  const found = Array.from({ length: size.width * size.height }, () => false);
  for (let y = 0; y < size.height; y++) {
    const runs = rows.read(y);
    for (let i = 0; i < runs.length; i += 2)
      found.fill(true, y * size.width + runs[i]!, y * size.width + runs[i + 1]!);
  }
  rows.remove();
  return found;
}

const size = { width: 60, height: 50, blockWidth: 16, blockHeight: 16 };

/** A square that is turned, light and with a dark hole. */
const turned: Shade = (x, y) => {
  const [u, v] = [(x - 30) * 0.9 + (y - 25) * 0.4, (y - 25) * 0.9 - (x - 30) * 0.4];
  if (Math.max(Math.abs(u), Math.abs(v)) > 20) return 3;
  return Math.hypot(u, v) < 5 ? 0 : 180;
};

test('the black around a turned sheet is its collar, not the black in it', async () => {
  const found = (await collarOf(turned, size))!;
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) {
      const isAround = turned(x, y) === 3;
      assert.equal(found[y * size.width + x], isAround, `${x}, ${y}`);
    }
});

test('white is a collar where that is asked for, with a rim that is nearly white', async () => {
  const shade: Shade = (x) => (x < 20 ? 255 : x < 23 ? 225 : 90);
  const found = (await collarOf(shade, size, true))!;
  assert.deepEqual(
    [19, 21, 22, 23].map((x) => found[x]),
    [true, true, false, false],
  );
  assert.equal(await collarOf(shade, size), undefined);
});

test('a few dark pixels on the border are no collar', async () => {
  assert.equal(await collarOf((x, y) => (y === 0 && x < 15 ? 0 : 120), size), undefined);
});

test('a collar is what a flood from the border reaches, whatever the blocks', async () => {
  const random = fc.record({
    width: fc.integer({ min: 1, max: 40 }),
    height: fc.integer({ min: 1, max: 40 }),
    blockWidth: fc.integer({ min: 1, max: 50 }),
    blockHeight: fc.integer({ min: 1, max: 50 }),
    seed: fc.nat(1000),
  });
  await fc.assert(
    fc.asyncProperty(random, async ({ seed, ...one }) => {
      const shade: Shade = (x, y) => ((Math.sin(x * 12.9 + y * 78.2 + seed) * 43_758) % 1 > 0.1 ? 0 : 200);
      const found = await collarOf(shade, one);
      const wanted = withRim(floodOf(shade, one), shade, one);
      assert.deepEqual(found ?? wanted.map(() => false), wanted);
    }),
    { numRuns: 60 },
  );
  assert.deepEqual(await readdir(folder), [], 'no scratch file is left');
});

/** And what is dark within two pixels. */
function withRim(reached: readonly boolean[], shade: Shade, { width, height }: Size): boolean[] {
  return reached.map((is, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    if (is || shade(x, y) !== 0) return is;
    for (let row = Math.max(0, y - 2); row <= Math.min(height - 1, y + 2); row++)
      for (let column = Math.max(0, x - 2); column <= Math.min(width - 1, x + 2); column++)
        if (reached[row * width + column]) return true;
    return false;
  });
}

/** The same, pixel by pixel, with whole sides of the border as seeds where they are long enough. */
function floodOf(shade: Shade, { width, height }: Size): boolean[] {
  const isDark = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < width && y < height && shade(x, y) === 0;
  const reached = Array.from({ length: width * height }, () => false);
  const open: [number, number][] = [];
  const reach = (x: number, y: number): void => {
    if (!isDark(x, y) || reached[y * width + x]) return;
    reached[y * width + x] = true;
    open.push([x, y]);
  };
  const seedLine = (length: number, at: (i: number) => [number, number]): void => {
    for (let start = 0, i = 0; i <= length; i++) {
      if (i < length && isDark(...at(i))) continue;
      if (i - start >= Math.min(16, length)) for (let j = start; j < i; j++) reach(...at(j));
      start = i + 1;
    }
  };
  for (const row of [0, height - 1]) seedLine(width, (x) => [x, row]);
  for (const column of [0, width - 1]) seedLine(height, (y) => [column, y]);
  for (let next = open.pop(); next; next = open.pop()) {
    const [x, y] = next;
    for (const [right, down] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const)
      reach(x + right, y + down);
  }
  return reached;
}
