import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countedBytes } from '../geotiff/testing.ts';
import { readAsciiGrid, sampleAsciiGrid, type AsciiGrid } from './ascii-grid.ts';
import { recogniseHgt, sampleHgt } from './hgt.ts';

test('a .hgt is known by its size, and its place by its name', () => {
  assert.deepEqual(recogniseHgt('N49E011.hgt', 1201 * 1201 * 2), { side: 1201, corner: [11, 49] });
  assert.deepEqual(recogniseHgt('s01w080.SRTMGL1.HGT', 3601 * 3601 * 2), { side: 3601, corner: [-80, -1] });
  assert.deepEqual(recogniseHgt('berlin.hgt', 1201 * 1201 * 2), { side: 1201, corner: undefined });
  assert.equal(recogniseHgt('N49E011.hgt', 1000), undefined);
});

test('samples of a .hgt are the heights at their places, and NaN where it ends', async () => {
  const file = Buffer.alloc(5 * 5 * 2);
  for (let i = 0; i < 25; i++) file.writeInt16BE(i - 5, i * 2);
  assert.deepEqual([...(await sampleHgt(countedBytes(file), 5, 2))], [-5, -3, -1, 5, 7, 9, 15, 17, 19]);
  const cut = await sampleHgt(countedBytes(file.subarray(0, 24)), 5, 2);
  assert.ok(Number.isNaN(cut[8]!));
});

const header = 'ncols 4\r\nnrows 2\r\nxllcorner 100\r\nyllcorner 200\r\ncellsize 5\r\nNODATA_value -9999\r\n';

test('reads the header of an ASCII grid, its corner or its first middle', async () => {
  const grid = (await readAsciiGrid(
    countedBytes(Buffer.from(`${header}1 2 3 4\r\n5 6 7 8\r\n`)),
  )) as AsciiGrid;
  assert.deepEqual([grid.columns, grid.rows, grid.noData], [4, 2, -9999]);
  assert.deepEqual(grid.box, [100, 200, 120, 210]);
  const middle = header.replace('xllcorner 100', 'XLLCENTER 102,5').replace('cellsize 5', 'CELLSIZE 5.0');
  assert.deepEqual(
    ((await readAsciiGrid(countedBytes(Buffer.from(middle)))) as AsciiGrid).box,
    [100, 200, 120, 210],
  );
});

test('says what its header lacks', async () => {
  for (const [from, to, fault] of [
    ['cellsize 5', 'x 1', /cellsize/],
    ['xllcorner', 'xcorner', /xllcorner/],
    ['ncols 4', 'ncols four', /ncols/],
  ] as const) {
    const grid = (await readAsciiGrid(countedBytes(Buffer.from(header.replace(from, to))))) as {
      fault: string;
    };
    assert.match(grid.fault, fault);
  }
  assert.equal(await readAsciiGrid(countedBytes(Buffer.from('name,ncols\n1,2\n'))), undefined);
});

test('samples of a large ASCII grid are taken from all of it', async () => {
  const rows = Array.from({ length: 2000 }, (_, i) => `${i} ${i} ${i} ${i}`).join('\n');
  const bytes = countedBytes(Buffer.from(header + rows.repeat(20)));
  const grid = (await readAsciiGrid(bytes)) as AsciiGrid;
  const values = await sampleAsciiGrid(bytes, grid);
  assert.ok(values.some((value) => value > 1900) && values.some((value) => value < 100));
  assert.ok(bytes.bytesRead() <= 16 * 64 * 1024 + 4096);
});
