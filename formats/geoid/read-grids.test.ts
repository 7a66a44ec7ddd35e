import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { bytesOf } from '../bytes/unpacked-bytes.ts';
import { writeTiff, type WrittenTiff } from '../geotiff/testing.ts';
import type { GeoidBox } from './grid-window.ts';
import { Geoid } from './geoid.ts';
import { interpolate } from './geoid-grid.ts';
import { packGrid } from './packing/pack-grid.ts';
import { readGridFile, codeOfGridFile } from './read-grid-file.ts';
import { packedLayout, readPackedGrid, checksumOf } from './read-packed-grid.ts';
import { readShippedGrid } from './shipped-grid-file.ts';
import { egm96, nationalGrids } from './shipped-grids.ts';
import { makeGrid, writeGtx } from './testing-grids.ts';

const grid = makeGrid((lon, lat) => (lon === 9 && lat === 50 ? NaN : lon + lat / 8));
const gtx = (bytes: Buffer, name = 'own.gtx') => ({ name, bytes: bytesOf(bytes) });

test('a packed grid is read as it was, rounded, with its missing values', () => {
  const { values, ...frame } = readPackedGrid(packGrid(grid, 0.001));
  const { values: given, ...givenFrame } = grid;
  assert.deepEqual(frame, givenFrame);
  values.forEach((value, i) =>
    assert.ok(Number.isNaN(given[i]!) ? Number.isNaN(value) : Math.abs(value - given[i]!) <= 0.000_51),
  );
});

test('a packed grid that is cut off, changed, absurd or another one is refused with its reason', async () => {
  const [german, austrian] = nationalGrids as [(typeof nationalGrids)[0], (typeof nationalGrids)[0]];
  const bytes = await readFile(new URL(`grids/${german.file}`, import.meta.url));
  assert.equal(readShippedGrid(german, bytes).columns, 950);
  const refuses = (change: (copy: Buffer) => Uint8Array, reason: RegExp) =>
    assert.throws(() => readShippedGrid(german, change(Buffer.from(bytes))), reason);
  refuses(
    (copy) => copy.subarray(0, 40),
    /de-gcg2016.geoid of Platen cannot be read: it is cut off\. Install it again/,
  );
  refuses((copy) => copy.subarray(0, -1), /cut off/);
  refuses((copy) => copy.fill(0, 0, 8), /not a geoid grid of Platen/);
  for (const at of [9, 20, 70, copyMiddle(bytes)])
    refuses((copy) => copy.fill(copy[at]! ^ 1, at, at + 1), /checksum is wrong/);
  assert.throws(() => readShippedGrid(austrian, bytes), /at-gv-v2.geoid .*it covers 3\.25.* instead of 9\.5/);
  const signed = (copy: Buffer) => {
    copy.writeUInt32LE(checksumOf(copy), packedLayout.checksum);
    return copy;
  };
  // before a byte is reserved for them
  refuses((copy) => (copy.writeUInt32LE(0xffffffff, packedLayout.columns), signed(copy)), /not on Earth/);
  refuses((copy) => (copy.writeDoubleLE(NaN, packedLayout.lonStep), signed(copy)), /NaN° and/);
  refuses((copy) => (copy.writeDoubleLE(Infinity, packedLayout.west), signed(copy)), /not on Earth/);
  refuses((copy) => (copy.writeUInt32LE(0, packedLayout.rows), signed(copy)), /no size/);
  refuses((copy) => (copy.writeUInt32LE(949, packedLayout.columns), signed(copy)), /content is damaged/);
  refuses(
    (copy) => (copy.writeDoubleLE(1, packedLayout.unit), signed(copy)),
    /never that far from the ellipsoid/,
  );
  refuses((copy) => signed(copy.fill(0xff, 2000, 2100)), /damaged|never that far/);
});

function copyMiddle({ length }: Buffer): number {
  return Math.floor(length / 2);
}

test('a .gtx grid is read whole, or around a box, also across the antimeridian', async () => {
  const whole = await readGridFile(gtx(writeGtx(grid)));
  assert.deepEqual(whole, grid);
  const fine = makeGrid((lon, lat) => lon / 4 + lat / 2, {
    columns: 1440,
    rows: 721,
    west: 0,
    north: 90,
    lonStep: 0.25,
    latStep: 0.25,
  });
  const file = gtx(writeGtx(fine));
  const all = new Geoid(await readGridFile(file));
  for (const box of [
    [7, 50, 8, 51],
    [179, -20, -179, -18],
    [-1, 10, 1, 12],
    [-180, -90, 180, 90],
  ] as GeoidBox[]) {
    const part = await readGridFile(file, box);
    const geoid = new Geoid(part);
    if (box[0] !== -180) assert.ok(part.values.length < 300, `${part.values.length} for ${box.join()}`);
    const [west, south, east, north] = box;
    for (const share of [0, 0.3, 0.5, 0.77, 1]) {
      const lon = west + share * (east < west ? east + 360 - west : east - west);
      const lat = south + share * (north - south);
      assert.ok(
        Math.abs(geoid.undulation(lon, lat) - all.undulation(lon, lat)) < 1e-4,
        `${box.join()} ${share}`,
      );
    }
  }
});

const tiff: WrittenTiff = {
  images: [
    {
      width: 40,
      height: 30,
      bits: 32,
      sampleFormat: 3,
      isDeflated: true,
      tile: 16,
      sample: (x, y) => (x === 20 && y === 20 ? -32768 : x + y / 8),
    },
  ],
  scale: [0.1, 0.1],
  tie: [0, 0, 0, 7, 52, 0],
  noData: '-32768',
  keys: [
    [1024, 0, 1, 2],
    [1025, 0, 1, 2],
    [2048, 0, 1, 4258],
  ],
  metadata:
    '<GDALMetadata><Item name="TYPE">VERTICAL_OFFSET_GEOGRAPHIC_TO_VERTICAL</Item><Item name="target_crs_epsg_code">7837</Item></GDALMetadata>',
};

test('a box that reaches around the Earth from one end of a grid to its other end needs both', async () => {
  for (const [frame, box, lons] of [
    [{ columns: 31, west: 160 }, [-177, -45, 179, -40], [-177, 179]],
    [{ columns: 31, west: 160 }, [-180, -45, 180, -40], [-175, 165]],
    [{ columns: 361, west: -180 }, [179, -45, -179, -40], [179.5, -179.5]],
  ] as const) {
    const around = makeGrid(() => 5, { ...frame, rows: 11, north: -38 });
    const part = await readGridFile(gtx(writeGtx(around)), box);
    assert.deepEqual(
      lons.map((lon) => interpolate(part, lon, -42)),
      [5, 5],
      box.join(),
    );
  }
});

test('a GeoTIFF grid of PROJ is read whole or around a box, and names its heights', async () => {
  const file = gtx(writeTiff(tiff), 'any.tif');
  assert.equal(await codeOfGridFile(file), '7837');
  const whole = await readGridFile(file);
  assert.deepEqual([whole.columns, whole.rows, whole.west, whole.north], [40, 30, 7, 52]);
  assert.deepEqual([whole.values[41], whole.values[20 * 40 + 20]], [1.125, NaN]);
  const part = await readGridFile(file, [8.1, 50.9, 8.2, 51]);
  assert.ok(part.columns < 20 && part.rows < 20);
  const [own, all] = [new Geoid(part), new Geoid(whole)];
  assert.ok(Math.abs(own.undulation(8.13, 50.97) - all.undulation(8.13, 50.97)) < 1e-5);
});

test('what a .gtx grid without a code is for is known by its name', async () => {
  for (const [name, code] of [
    ['us_nga_egm08_25.gtx', '3855'],
    ['g2018u0.gtx', '5703'],
    ['egm96_15.gtx', '5773'],
    ['5621-own.gtx', '5621'],
    ['own.gtx', undefined],
  ] as const)
    assert.equal(await codeOfGridFile(gtx(writeGtx(grid), name)), code, name);
});

test('grids of others that are cut off, absurd, of another kind or another region are refused', async () => {
  const bytes = writeGtx(grid);
  const changed = (at: number, value: number, isInt = false) => {
    const copy = Buffer.from(bytes);
    if (isInt) copy.writeInt32BE(value, at);
    else copy.writeDoubleBE(value, at);
    return gtx(copy);
  };
  for (const [file, reason, box] of [
    [gtx(bytes.subarray(0, 30)), /cut off/],
    [gtx(bytes.subarray(0, -1)), /announces 120 bytes, but it has 119/],
    [changed(32, 2 ** 31 - 1, true), /not on Earth/],
    [changed(36, -5, true), /no size/],
    [changed(16, 1e-9), /apart/],
    [changed(24, NaN), /NaN/],
    [changed(0, 1e300), /not on Earth/],
    [gtx(writeGtx(makeGrid(() => 1e9))), /value of 1\.00000e\+9/],
    [gtx(writeGtx(makeGrid(() => NaN))), /no values/],
    [gtx(writeGtx(grid)), /covers another region: 7° to 11° east, 49° to 52° north/, [100, 0, 101, 1]],
    [gtx(writeGtx(grid)), /covers another region/, [7, -10, 8, -9]],
    [gtx(Buffer.from('hello, this is a text'), 'own.txt'), /neither a GeoTIFF grid/],
    [gtx(writeTiff({ ...tiff, keys: [], scale: [0, 0] }), 'a.tif'), /no georeference/],
    [gtx(writeTiff({ ...tiff, images: [tiff.images[0]!, tiff.images[0]!] }), 'a.tif'), /several grids/],
    [
      gtx(
        writeTiff({
          ...tiff,
          metadata: '<GDALMetadata><Item name="TYPE">HORIZONTAL_OFFSET</Item></GDALMetadata>',
        }),
        'a.tif',
      ),
      /type HORIZONTAL_OFFSET, not/,
    ],
    [gtx(writeTiff(tiff).subarray(0, 700), 'a.tif'), /cut off|damaged/],
  ] as const)
    await assert.rejects(readGridFile(file, box as GeoidBox | undefined), reason);
});

test('every shipped grid covers the area that it is listed with', async () => {
  for (const shipped of [egm96, ...nationalGrids]) {
    const bytes = await readFile(new URL(`grids/${shipped.file}`, import.meta.url));
    const { values } = readShippedGrid(shipped, bytes);
    assert.ok(
      values.some((value) => value > 30 && value < 60),
      shipped.file,
    );
  }
});
