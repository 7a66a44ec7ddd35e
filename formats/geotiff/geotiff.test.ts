import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BytesError } from '../bytes/bytes.ts';
import { findCrs } from '../crs/find-crs.ts';
import { checkCogLayout } from './cog-layout.ts';
import { crsOfKeys } from './geo-crs.ts';
import { decodeGeoKeys, readGeoKeys } from './geo-keys.ts';
import { boxOf, readGeoTransform } from './geo-transform.ts';
import { openBlocks } from './read-block.ts';
import { readGdalMetadata, readImage, readNoData } from './read-image.ts';
import { readTiff } from './read-tiff.ts';
import { countedBytes, keysOf, writeTiff, type WrittenImage, type WrittenTiff } from './testing.ts';
import { findViewerFaults } from './viewer-faults.ts';

const small: WrittenImage = { width: 40, height: 30, sample: (x, y) => x + y * 2 };

async function open(written: WrittenTiff) {
  const bytes = countedBytes(writeTiff(written));
  const tiff = await readTiff(bytes);
  const images = await Promise.all(tiff.directories.map((directory) => readImage(tiff, directory)));
  return { bytes, tiff, images, image: images[0]! };
}

for (const isBig of [false, true]) {
  for (const isLittle of [false, true]) {
    test(`reads ${isBig ? 'BigTIFF' : 'TIFF'} with the ${isLittle ? 'lowest' : 'highest'} byte first`, async () => {
      const sample = (x: number, y: number) => x * 1.5 - y;
      const heights: WrittenImage = {
        width: 40,
        height: 30,
        bits: 32,
        sampleFormat: 3,
        tile: 16,
        isDeflated: true,
        sample,
      };
      const { tiff, image } = await open({ images: [heights], isBig, isLittle, noData: '-9999' });
      assert.deepEqual([tiff.isBig, image.width, image.height, image.blockWidth], [isBig, 40, 30, 16]);
      assert.deepEqual([image.sampleFormat, image.bits], ['float', 32]);
      assert.equal(await readNoData(tiff, image), -9999);
      const block = await openBlocks(tiff, image)!.read(1, 1);
      assert.equal(block![3 * 16 + 2], sample(18, 19));
    });
  }
}

test('a value that means nothing is as precise as the numbers', async () => {
  const image: WrittenImage = { width: 1, height: 1, bits: 32, sampleFormat: 3, sample: () => -3.4e38 };
  const opened = await open({ images: [image], noData: '-3.4e+38' });
  const block = await openBlocks(opened.tiff, opened.image)!.read(0, 0);
  assert.equal(await readNoData(opened.tiff, opened.image), block![0]);
});

test('reads floats with the predictor for floats, in either order of bytes', async () => {
  for (const isLittle of [true, false]) {
    const sample = (x: number, y: number) => Math.fround(Math.sin(x + y * 40) * 1000);
    const floats: WrittenImage = {
      ...small,
      bits: 32,
      sampleFormat: 3,
      predictor: 3,
      isDeflated: true,
      sample,
    };
    const { tiff, image } = await open({ images: [floats], isLittle });
    const block = (await openBlocks(tiff, image)!.read(0, 0))!;
    assert.deepEqual([block[0], block[41], block[600]], [sample(0, 0), sample(1, 1), sample(0, 15)]);
  }
});

test('reads ZSTD, which the viewer does not', async () => {
  const { tiff, image, images } = await open({ images: [{ ...small, tile: 16, isZstd: true }] });
  assert.equal((await openBlocks(tiff, image)!.read(1, 1))![17], 17 + 17 * 2);
  assert.ok(findViewerFaults(images, 'EPSG:3857').includes('The viewer cannot read ZSTD compression.'));
});

test('reads strips, of which the last is shorter', async () => {
  const { tiff, image } = await open({ images: [small] });
  const blocks = openBlocks(tiff, image)!;
  assert.deepEqual([blocks.columns, blocks.rows], [1, 2]);
  assert.equal((await blocks.read(0, 1))!.length, 40 * 14);
});

test('finds all pixels by one tie point and the size of pixels, whether it means their corners or middles', async () => {
  const placed = { images: [small], scale: [2, 3], tie: [0, 0, 0, 1000, 5000, 0] } as const;
  const { tiff, image } = await open(placed);
  const area = await readGeoTransform(tiff, image, false);
  assert.deepEqual(boxOf(area!, 40, 30), [1000, 4910, 1080, 5000]);
  const point = await readGeoTransform(tiff, image, true);
  assert.deepEqual(boxOf(point!, 40, 30), [999, 4911.5, 1079, 5001.5]);
});

test('takes a turned transformation before all else', async () => {
  const transformation = [0, 2, 0, 100, 3, 0, 0, 200, 0, 0, 0, 0, 0, 0, 0, 1];
  const { tiff, image } = await open({
    images: [small],
    transformation,
    scale: [1, 1],
    tie: [0, 0, 0, 0, 0, 0],
  });
  const transform = await readGeoTransform(tiff, image, false);
  assert.deepEqual(boxOf(transform!, 40, 30), [100, 200, 160, 320]);
});

test('fits a plane through ground control points, and says that it is only near them', async () => {
  const tie = [0, 0, 0, 10, 50, 0, 40, 0, 0, 50, 50, 0, 0, 30, 0, 10, 20, 0, 40, 30, 0, 50, 20, 0];
  const { tiff, image } = await open({ images: [small], tie });
  const transform = await readGeoTransform(tiff, image, false);
  assert.equal(transform!.isApproximate, true);
  assert.deepEqual(
    boxOf(transform!, 40, 30).map((value) => Math.round(value)),
    [10, 20, 50, 50],
  );
});

test('has no place where scale is zero or nothing is said', async () => {
  for (const placed of [{}, { scale: [0, 0], tie: [0, 0, 0, 1, 1, 0] }] as const) {
    const { tiff, image } = await open({ images: [small], ...placed });
    assert.equal(await readGeoTransform(tiff, image, false), undefined);
  }
});

test('names the CRS of the keys by its code, and what heights are measured from', async () => {
  const { tiff } = await open({ images: [small], keys: [...keysOf(25832), [4096, 0, 1, 7837]] });
  const keys = await readGeoKeys(tiff, tiff.directories[0]!);
  const { text, vertical } = crsOfKeys(keys);
  assert.deepEqual([text, vertical?.name, keys.version], ['EPSG:25832', 'DHHN2016 height', '1.0']);
});

test('knows vertical codes of GeoTIFF 1.0, units, citations and geographic CRSs with heights', async () => {
  const vertical = async (keys: readonly (readonly [number, number, number, number])[], keyTexts = '') => {
    const { tiff } = await open({ images: [small], keys, keyTexts });
    return crsOfKeys(await readGeoKeys(tiff, tiff.directories[0]!)).vertical;
  };
  const utm = keysOf(26910);
  const surveyFoot = 1200 / 3937;
  const cited = (name: string) => vertical([...utm, [4097, 34737, name.length + 1, 0]], `${name}|`);
  for (const [heights, kind, name, metresPerUnit] of [
    [await vertical([...utm, [4096, 0, 1, 5103]]), 'seaLevel', 'NAVD88 height', 1],
    [
      await vertical([...utm, [4096, 0, 1, 5703], [4099, 0, 1, 9003]]),
      'seaLevel',
      'NAVD88 height',
      surveyFoot,
    ],
    [await vertical([...utm, [4096, 0, 1, 5030]]), 'ellipsoid', 'ellipsoid of WGS 84', 1],
    [await vertical([...utm, [4096, 0, 1, 4979]]), 'ellipsoid', 'ellipsoid of WGS 84 (EPSG:4979)', 1],
    [await cited('NAVD88 height (ftUS)'), 'seaLevel', 'NAVD88 height (ftUS)', 0.304800609601219],
    [await cited('WGS 84 Ellipsoid'), 'ellipsoid', 'ellipsoid of WGS 84 Ellipsoid', 1],
    [await cited('zero of the harbour'), 'seaLevel', 'zero of the harbour', 1],
    [
      await vertical([
        [1024, 0, 1, 2],
        [2048, 0, 1, 4979],
      ]),
      'ellipsoid',
      'ellipsoid of WGS 84 (EPSG:4979)',
      1,
    ],
    [await vertical(utm), undefined, undefined, undefined],
  ] as const)
    assert.deepEqual([heights?.kind, heights?.name, heights?.metresPerUnit], [kind, name, metresPerUnit]);
});

const lambert = [
  [1024, 0, 1, 1],
  [2048, 0, 1, 4269],
  [3072, 0, 1, 32_767],
  [3075, 0, 1, 8],
  [3076, 0, 1, 9002],
  ...[43, 45.5, 0, 0, -120.5, 41.75, 1_312_335.958].map((_, i) => [
    [3078, 3079, 3082, 3083, 3084, 3085, 3086][i]!,
    34_736,
    1,
    i,
  ]),
] as [number, number, number, number][];

test('computes a CRS whose parameters are in the file', () => {
  const doubles = [43, 45.5, 0, 0, -120.5, 41.75, 1_312_335.958];
  const keys = lambert.filter(([key]) => key !== 3082 && key !== 3083);
  const found = crsOfKeys(decodeGeoKeys([1, 1, 0, keys.length, ...keys.flat()], doubles, ''));
  assert.equal(found.isUserDefined, true);
  // the stadium of Autzen, in feet
  const place = Float64Array.of(637_000, 851_000);
  findCrs(found.text!).toLonLat(place, 1);
  assert.ok(Math.abs(place[0]! + 123.07) < 0.01 && Math.abs(place[1]! - 44.06) < 0.01, String(place));
});

test('reads the WKT that ESRI puts into a citation, and UTM by its projection', () => {
  const wkt =
    'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';
  const text = `ESRI PE String = ${wkt}|`;
  const esri = decodeGeoKeys([1, 1, 0, 2, 1024, 0, 1, 2, 2049, 34_737, text.length, 0], [], text);
  assert.equal(crsOfKeys(esri).text, wkt);
  const utm = decodeGeoKeys(
    [1, 1, 0, 3, 1024, 0, 1, 1, 2048, 0, 1, 4326, 3074, 0, 1, 16_132, 3072, 0, 1, 32_767],
    [],
    '',
  );
  const place = Float64Array.of(500_000, 10_000_000);
  findCrs(crsOfKeys(utm).text!).toLonLat(place, 1);
  assert.ok(Math.abs(place[0]! - 9) < 1e-6 && Math.abs(place[1]!) < 1e-6);
});

test('says of a geocentric CRS that it is one', () => {
  const { text } = crsOfKeys(decodeGeoKeys([1, 1, 0, 2, 1024, 0, 1, 3, 2048, 0, 1, 4326], [], ''));
  assert.throws(() => findCrs(text!), /geocentric/);
});

const pyramid = (more: Partial<WrittenImage> = {}): WrittenImage[] => [
  level(1024, more),
  level(512, more),
  level(256, more),
];

const level = (side: number, more: Partial<WrittenImage>): WrittenImage => ({
  width: side,
  height: side,
  tile: 256,
  isDeflated: true,
  subfileType: side === 1024 ? 0 : 1,
  sample: (x, y) => (x ^ y) & 255,
  ...more,
});

test('knows a cloud-optimized layout, and says what keeps a file from one', async () => {
  const faultsOf = async (written: WrittenTiff) => {
    const { tiff, images } = await open(written);
    return (await checkCogLayout(tiff, images)).faults;
  };
  assert.deepEqual(await faultsOf({ images: pyramid() }), []);
  assert.deepEqual(await faultsOf({ images: [small] }), []);
  assert.deepEqual(await faultsOf({ images: pyramid(), isImageFirst: true }), [
    'the pixels of its overviews are behind those of the image',
  ]);
  assert.deepEqual(await faultsOf({ images: [{ ...small, width: 1000 }] }), [
    'it is stored in strips, not in tiles',
    'it has no overviews',
  ]);
  const [image, half, quarter] = pyramid() as [WrittenImage, WrittenImage, WrittenImage];
  assert.deepEqual(await faultsOf({ images: [image, quarter, half] }), [
    'its overviews are not sorted by size',
  ]);
});

test('says what keeps the viewer from it', async () => {
  const { images } = await open({ images: pyramid({ bands: 3 }) });
  assert.deepEqual(findViewerFaults(images, 'EPSG:3857'), [
    'It has neither an alpha channel nor a mask: it would be garbled on the globe.',
  ]);
  const alpha = await open({ images: pyramid({ bands: 4, extraSamples: [2] }) });
  assert.equal(alpha.image.alphaBand, 3);
  assert.deepEqual(findViewerFaults(alpha.images, 'EPSG:3857'), []);
  assert.deepEqual(findViewerFaults(alpha.images, 'EPSG:25832'), [
    'It must be in EPSG:3857, not in EPSG:25832.',
  ]);
});

test('reads the items of GDAL, with their bands', async () => {
  const metadata =
    '<GDALMetadata><Item name="A &amp; B">x</Item><Item name="UNIT" sample="0" role="unittype">m</Item></GDALMetadata>';
  const { tiff, image } = await open({ images: [small], metadata });
  assert.deepEqual(await readGdalMetadata(tiff, image), [
    { name: 'A & B', value: 'x', band: undefined, role: undefined },
    { name: 'UNIT', value: 'm', band: 0, role: 'unittype' },
  ]);
});

test('reads little of a large file', async () => {
  const { bytes, tiff, image } = await open({ images: pyramid() });
  await openBlocks(tiff, image)!.read(2, 2);
  assert.ok(bytes.bytesRead() < bytes.size / 4, `${bytes.bytesRead()} of ${bytes.size}`);
});

test('ends loops of directories, and keeps what it has read', async () => {
  const file = writeTiff({ images: [small, { ...small, subfileType: 1 }] });
  const tiff = await readTiff(countedBytes(file));
  const second = tiff.directories[1]!.offset;
  // the second directory points to the first again
  const count = file.readUInt16LE(second);
  file.writeUInt32LE(8, second + 2 + count * 12);
  const circle = await readTiff(countedBytes(file));
  assert.deepEqual([circle.directories.length, circle.fault], [2, 'its directories form a loop']);
});

test('refuses other files, and allocates nothing for false claims', async () => {
  await assert.rejects(readTiff(countedBytes(Buffer.from('II*'))), BytesError);
  const file = writeTiff({ images: [{ ...small, tile: 16 }] });
  const tiff = await readTiff(countedBytes(file));
  const image = {
    ...(await readImage(tiff, tiff.directories[0]!)),
    blockWidth: 100_000,
    blockHeight: 100_000,
  };
  await assert.rejects(openBlocks(tiff, image)!.read(0, 0)!, /too large/);
});
