import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf } from '@platen/formats/bytes/unpacked-bytes';
import { readTiff } from '@platen/formats/geotiff/read-tiff';
import { tag } from '@platen/formats/geotiff/tags';
import { keysOf, writeTiff, type WrittenImage } from '@platen/formats/geotiff/testing';
import type { Resampling } from '@platen/geo/raster/kernels';
import { afterFile } from '../../checks/clean-up.ts';
import type { JobInput } from '../job-type.ts';
import { requireImageCodec } from '../kit/images/image-codec.ts';
import { testContext } from '../testing-context.ts';
import { findMosaicSheets } from './find-sheets.ts';
import { readMask } from './mask/mask-settings.ts';
import { openSheetReader } from './read-sheets.ts';
import { readAround, type MosaicPicture } from './testing-mosaic.ts';
import { openSheetTests } from './testing.ts';

const tests = await openSheetTests(() => Promise.reject(new Error('Sheets are read without a job.')));
afterFile(tests.remove);

const [east, north] = [500_000, 5_500_000];
const metres = 2;

interface SheetCut {
  readonly column: number;
  readonly row: number;
  readonly width: number;
  readonly height: number;
}

const waves = (x: number, y: number, band: number): number =>
  Math.round(128 + 60 * Math.sin(x * 0.9 + band) + 60 * Math.sin(y * 0.7 - band));

/** A part of one picture, as a sheet of its own. */
const put = (
  name: string,
  { column, row, width, height }: SheetCut,
  more: Partial<WrittenImage> = {},
): Promise<JobInput> =>
  tests.put(name, {
    images: [
      {
        width,
        height,
        bands: 3,
        photometric: 2,
        sample: (x, y, band) => waves(column + x, row + y, band),
        ...more,
      },
    ],
    keys: keysOf(25_832),
    scale: [metres, metres],
    tie: [0, 0, 0, east + column * metres, north - row * metres, 0],
  });

const whole = { column: 0, row: 0, width: 400, height: 400 };

for (const resampling of ['nearest', 'bilinear', 'cubic', 'lanczos', 'average'] as const)
  test(`four sheets give every pixel of the one that they are cut from, with ${resampling}`, async () => {
    const one = await put('whole.tif', whole);
    const cuts = [
      { column: 0, row: 0, width: 183, height: 190 },
      { column: 183, row: 0, width: 217, height: 190 },
      { column: 0, row: 190, width: 183, height: 210 },
      // overlaps its neighbours
      { column: 150, row: 170, width: 250, height: 230 },
    ];
    const four = await Promise.all(cuts.map((cut, i) => put(`cut-${i}.tif`, cut)));
    const look = { resampling, side: 512 };
    const wanted = await readAround([one], look);
    const made = await readAround(four, look);
    const { largest, share } = compare(made, wanted);
    // the scale of a sheet is that in its middle
    assert.ok(largest <= 2 && share < 0.02, `${largest}, ${share}`);
  });

/** The largest difference of what both pictures have, and the share of bytes that differ. */
function compare(one: MosaicPicture, other: MosaicPicture): { largest: number; share: number } {
  const [a, b] = [cut(one, other), cut(other, one)];
  assert.ok(
    a.some((value) => value !== 0),
    'the pictures overlap, and show something',
  );
  let [largest, count] = [0, 0];
  for (const [i, value] of a.entries()) {
    largest = Math.max(largest, Math.abs(value - b[i]!));
    if (value !== b[i]) count++;
  }
  return { largest, share: count / a.length };
}

function cut(picture: MosaicPicture, other: MosaicPicture): Buffer {
  const { square, rgba } = picture;
  const [left, top] = (['left', 'top'] as const).map((edge) => Math.max(square[edge], other.square[edge]));
  const [right, bottom] = (['left', 'top'] as const).map((edge) =>
    Math.min(square[edge] + square.side, other.square[edge] + other.square.side),
  );
  const rows = Array.from({ length: bottom! - top! }, (_, i) => {
    const start = ((top! + i - square.top) * square.side + left! - square.left) * 4;
    return rgba.subarray(start, start + (right! - left!) * 4);
  });
  return Buffer.concat(rows);
}

test('tiles do not depend on the squares that they are made in, even where the transformation bends', async () => {
  const input = await tests.put('polar.tif', {
    images: [{ width: 512, height: 512, bands: 3, photometric: 2, sample: waves }],
    keys: keysOf(3413),
    scale: [20_000, 20_000],
    tie: [0, 0, 0, -5_000_000, 5_000_000, 0],
  });
  for (const resampling of ['bilinear', 'cubic'] satisfies Resampling[]) {
    const large = await readAround([input], { resampling, side: 1024 });
    const small = await readAround([input], { resampling, side: 512 });
    assert.equal(compare(large, small).largest, 0);
  }
});

test('sheets fade into each other where they overlap, and nowhere else', async () => {
  const shade = (value: number): Partial<WrittenImage> => ({ sample: () => value });
  const below = await put('below.tif', { ...whole, width: 250 }, shade(40));
  const above = await put('above.tif', { ...whole, column: 150, width: 250 }, shade(200));
  const { rgba, square } = await readAround([below, above], { mask: { feather: 60 }, side: 512 });
  const values = new Set<number>();
  for (let at = 0; at < rgba.length; at += 4) if (rgba[at + 3] !== 0) values.add(rgba[at]!);
  const row = 256 * square.side;
  const line = Array.from({ length: square.side }, (_, x) => rgba[(row + x) * 4]!);
  const steps = line.map((value, x) => Math.abs(value - (line[x - 1] ?? value)));
  const inside = line.flatMap((value, x) => (value > 0 && line[x - 1]! > 0 ? [steps[x]!] : []));
  assert.ok(Math.max(...inside) <= 8, `no step is larger than ${Math.max(...inside)}`);
  assert.ok(values.has(40) && values.has(200) && values.size > 40);
  const alphas = new Set(rgba.filter((_, i) => i % 4 === 3));
  assert.deepEqual(
    [...alphas].toSorted((a, b) => a - b),
    [0, 255],
  );
});

test('what a sparse file leaves out is not read, and not shown', async () => {
  const image = { width: 64, height: 64, tile: 32, bands: 3, photometric: 2, sample: () => 90 };
  const place = { keys: keysOf(25_832), scale: [2, 2], tie: [0, 0, 0, east, north, 0] } as const;
  const bytes = writeTiff({ images: [image], ...place, noData: '0' });
  const { directories } = await readTiff(bytesOf(bytes));
  // all blocks but the first
  for (const name of [tag.tileOffsets, tag.tileByteCounts]) {
    const { offset } = directories[0]!.tags.get(name)!;
    bytes.fill(0, offset + 4, offset + 16);
  }
  const input = await tests.put('sparse.tif', bytes);
  const options = { strict: true, bands: undefined, mask: readMask({}), sheetBytes: 1 << 24 };
  const sheets = await findMosaicSheets([input], options, testContext({ inputs: [input] }));
  const reader = openSheetReader(sheets, await requireImageCodec(), 1 << 24);
  const window = { column: 32, row: 0, width: 32, height: 64 };
  assert.equal(await reader.readSamples(0, window), undefined);
  assert.equal((await reader.readSamples(0, { ...window, column: 31 }))?.samples[0], 90);
  await reader.close();
  const { rgba } = await readAround([input], { side: 512 });
  const shown = rgba.filter((value, i) => i % 4 === 3 && value !== 0).length;
  assert.ok(shown > 400 && shown < 3000, `${shown} pixels are shown`);
});
