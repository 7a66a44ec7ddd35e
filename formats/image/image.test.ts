import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxOf } from '../geotiff/geo-transform.ts';
import { countedBytes } from '../geotiff/testing.ts';
import { writePng } from '../png/write-png.ts';
import { readPhotoPlace } from './exif-place.ts';
import { readImageHeader } from './read-header.ts';
import { exifAt, jpegOf, webpOf } from './testing.ts';
import { parseSideFile, parseWorldFile, worldFileNames } from './world-file.ts';

const look = (file: Uint8Array) => readImageHeader(countedBytes(file));

test('the size of a PNG is read without decoding it, even with 100,000 pixels per side', async () => {
  const png = Buffer.from(writePng(new Uint8Array(4 * 4 * 4), 4, 4));
  assert.deepEqual((await look(png))!.fault, undefined);
  png.writeUInt32BE(100_000, 16);
  png.writeUInt32BE(100_000, 20);
  const { width, height, hasAlpha } = (await look(png))!;
  assert.deepEqual([width, height, hasAlpha], [100_000, 100_000, true]);
});

test('the size of a JPEG is read behind any preceding segments, with whether it is progressive', async () => {
  const { width, height, bands, isInterlaced } = (await look(jpegOf({ width: 640, height: 480 })))!;
  assert.deepEqual([width, height, bands, isInterlaced], [640, 480, 3, false]);
  assert.equal((await look(jpegOf({ width: 1, height: 1, isProgressive: true })))!.isInterlaced, true);
});

test('the size of each kind of WebP is read', async () => {
  for (const chunk of ['VP8 ', 'VP8L', 'VP8X'] as const) {
    const { width, height, fault } = (await look(webpOf(chunk, 300, 200)))!;
    assert.deepEqual([chunk, width, height, fault], [chunk, 300, 200, undefined]);
  }
});

test('says of each that it is cut off', async () => {
  const files = [
    writePng(new Uint8Array(256 * 4), 16, 16),
    jpegOf({ width: 9, height: 9 }),
    webpOf('VP8L', 9, 9),
  ];
  for (const file of files) {
    assert.equal((await look(file.subarray(0, file.length - 4)))!.fault, 'it is cut off');
    for (let length = 12; length < file.length; length += 3) await look(file.subarray(0, length));
  }
});

test('is nothing to other files', async () => {
  assert.equal(await look(Buffer.from('GIF89a')), undefined);
  assert.equal(await look(Buffer.alloc(0)), undefined);
});

test('reads where a photo was taken, south and west too, below the sea', async () => {
  const exif = exifAt({ latitude: -33.5, longitude: -70.25, altitude: -12.5 });
  assert.deepEqual(await readPhotoPlace(exif), {
    latitude: -33.5,
    longitude: -70.25,
    altitude: -12.5,
    direction: undefined,
  });
  const { exif: found } = (await look(jpegOf({ width: 5, height: 5, exif })))!;
  assert.deepEqual(Buffer.from(found!), exif);
});

test('takes no place from damaged EXIF', async () => {
  const exif = exifAt({ latitude: 1, longitude: 2, altitude: 3 });
  for (let length = 0; length < exif.length; length++) await readPhotoPlace(exif.subarray(0, length));
  assert.equal(await readPhotoPlace(exifAt({ latitude: 91, longitude: 2, altitude: 3 })), undefined);
});

test('reads a world file, whose numbers are of the middle of a pixel', () => {
  const transform = parseWorldFile('2.0\r\n0\r\n0\r\n-3\r\n1001\r\n4998.5\r\n');
  assert.deepEqual(boxOf(transform!, 10, 10), [1000, 4970, 1020, 5000]);
  assert.deepEqual(parseWorldFile('2,0 0 0 -3,0 1001 4998,5')?.matrix[0], 2);
  for (const text of ['', '1 2 3', '0 0 0 0 5 5', 'a b c d e f'])
    assert.equal(parseWorldFile(text), undefined);
});

test('knows the names of world files', () => {
  assert.deepEqual(
    worldFileNames('a.b.jpeg').filter((name) => !/[A-Z]/.test(name)),
    ['a.b.jgw', 'a.b.jpegw', 'a.b.wld'],
  );
});

test("reads the CRS and the place in GDAL's side file", () => {
  const xml =
    '<PAMDataset><SRS dataAxisToSRSAxisMapping="1,2">GEOGCS[&quot;x&quot;]</SRS><GeoTransform>10, 1, 0, 50, 0, -1</GeoTransform></PAMDataset>';
  const { crs, transform } = parseSideFile(xml);
  assert.equal(crs, 'GEOGCS["x"]');
  assert.deepEqual(boxOf(transform!, 5, 5), [10, 45, 15, 50]);
  assert.deepEqual(parseSideFile('<PAMDataset/>'), { crs: undefined, transform: undefined });
});
