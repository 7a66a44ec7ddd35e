import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf } from '@platen/formats/bytes/unpacked-bytes';
import { readTiff } from '@platen/formats/geotiff/read-tiff';
import { tag } from '@platen/formats/geotiff/tags';
import { keysOf, writeTiff, type WrittenImage } from '@platen/formats/geotiff/testing';
import { afterFile } from '../../checks/clean-up.ts';
import type { JobInput } from '../job-type.ts';
import { pixelMetres } from './mercator-frame.ts';
import { readAround } from './testing-mosaic.ts';
import { openSheetTests } from './testing.ts';

const tests = await openSheetTests(() => Promise.reject(new Error('Sheets are read without a job.')));
afterFile(tests.remove);

const zoom = 16;
const metres = pixelMetres(zoom);
const half = pixelMetres(0) * 128;
/** Wider than what is read as a whole. */
const size = { width: 1500, height: 80 };
const noise = (x: number, y: number, band: number): number => (x * 7 + y * 13 + x * y + band * 91) & 255;

/** A sheet on the grid of a zoom, by the pixels that are left of it and above. */
function onGrid(column: number, row: number, more: Partial<WrittenImage> = {}) {
  const image = {
    ...size,
    bands: 3,
    photometric: 2,
    sample: (x: number, y: number, band: number) => noise(x + column, y + row, band),
    ...more,
  };
  const tie = [0, 0, 0, column * metres - half, half - row * metres, 0];
  return { images: [image], keys: keysOf(3857), scale: [metres, metres], tie } as const;
}

const corner = [34_000, 22_000] as const;
const look = { side: 2048 };

const sources = {
  'stored bytes': {},
  tiles: { tile: 64 },
  'packed bytes': { isDeflated: true },
};
for (const [name, more] of Object.entries(sources))
  test(`pixels on the grid of web maps are copied from ${name}, and are those that warping gives`, async () => {
    const [column, row] = corner;
    const one = await tests.put(`${name}-one.tif`, onGrid(column, row, more));
    // over the end of the first
    const other = { ...more, sample: () => 200 };
    const two = await tests.put(`${name}-two.tif`, onGrid(column + 1400, row + 50, other));
    for (const inputs of [[one], [one, two], [two, one]]) {
      const { rgba, copied } = await readAround(inputs, look);
      assert.ok(copied, 'they are copied');
      assert.ok(rgba.some((value) => value !== 0));
      assert.ok(Buffer.from(copied).equals(rgba), 'both are equal');
    }
  });

test('what has other pixels than web maps, or hidden ones, is not copied', async () => {
  const [column, row] = corner;
  const plain = onGrid(column, row);
  const { sample } = plain.images[0]!;
  const alpha = { bands: 4, extraSamples: [2], sample };
  const others = {
    'off the grid': onGrid(column + 0.25, row),
    'larger pixels': { ...plain, scale: [metres * 1.001, metres] },
    alpha: onGrid(column, row, alpha),
    'no data': { ...plain, noData: '0' },
    grey: onGrid(column, row, { bands: 1, photometric: 1 }),
  } as const;
  for (const [name, tiff] of Object.entries(others)) {
    const { copied } = await readAround([await tests.put(`${name}.tif`, tiff)], look);
    assert.equal(copied, undefined, name);
  }
});

test('a file that leaves out blocks is not copied', async () => {
  const [column, row] = corner;
  const bytes = writeTiff(onGrid(column, row));
  const { directories } = await readTiff(bytesOf(bytes));
  for (const name of [tag.stripOffsets, tag.stripByteCounts])
    bytes.fill(0, directories[0]!.tags.get(name)!.offset, directories[0]!.tags.get(name)!.offset + 4);
  const input: JobInput = await tests.put('sparse.tif', bytes);
  const { rgba, copied } = await readAround([input], look);
  assert.equal(copied, undefined);
  assert.ok(rgba.some((value) => value !== 0));
});
