import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { openBlocks } from '@platen/formats/geotiff/read-block';
import { readImage } from '@platen/formats/geotiff/read-image';
import { readTiff } from '@platen/formats/geotiff/read-tiff';
import {
  countedBytes,
  keysOf,
  writeTiff,
  type WrittenImage,
  type WrittenTiff,
} from '@platen/formats/geotiff/testing';
import { exifAt, jpegOf, webpOf } from '@platen/formats/image/testing';
import { codestreamOf, jp2Of } from '@platen/formats/jpeg2000/testing';
import { writePng } from '@platen/formats/png/write-png';
import {
  codesOf,
  inspectFile,
  inspectSubject,
  sampleFile,
  subjectOf,
  survivesDamage,
} from '../testing-subject.ts';

const picture = { width: 300, height: 200, channels: 3, background: '#000' } as const;

/** Stripes and a ramp, which predictors and LZW have something to do with. */
async function pixels(): Promise<Buffer> {
  const raw = await sharp({ create: picture }).raw().toBuffer();
  for (let i = 0; i < raw.length; i++) raw[i] = (i * 7 + Math.floor(i / 900) * 13) & 255;
  return raw;
}

const kinds = [
  { compression: 'none' },
  { compression: 'lzw' },
  { compression: 'lzw', predictor: 'horizontal' },
  { compression: 'deflate', predictor: 'horizontal' },
  { compression: 'deflate', bigtiff: true },
  { compression: 'packbits' },
] as const;

for (const options of kinds) {
  for (const tile of [true, false]) {
    test(`reads ${tile ? 'tiles' : 'strips'} as libtiff wrote them: ${JSON.stringify(options)}`, async () => {
      const raw = await pixels();
      const written = await sharp(raw, { raw: picture })
        .tiff({ ...(options as object), tile, tileWidth: 64, tileHeight: 64 })
        .toBuffer();
      const tiff = await readTiff(countedBytes(written));
      const image = await readImage(tiff, tiff.directories[0]!);
      const blocks = openBlocks(tiff, image)!;
      for (const [column, row] of [
        [0, 0],
        [blocks.columns - 1, blocks.rows - 1],
      ] as const) {
        const block = (await blocks.read(column, row))!;
        const from = (row * image.blockHeight * 300 + column * image.blockWidth) * 3;
        assert.deepEqual([...block.subarray(0, 9)], [...raw.subarray(from, from + 9)]);
      }
    });
  }
}

/** 10 m pixels in Germany. */
const placed = { keys: keysOf(25832), scale: [10, 10], tie: [0, 0, 0, 600_000, 5_400_000, 0] } as const;
const heights: WrittenImage = {
  width: 120,
  height: 90,
  bits: 32,
  sampleFormat: 3,
  sample: (x, y) => (x < 10 ? -9999 : 300 + x + Math.sin(y / 9) * 20),
};

test('elevation models are distinguished from imagery, with the range and position of their heights', async () => {
  const keys = [...placed.keys, [4096, 0, 1, 7837]] as const;
  const file = writeTiff({ ...placed, keys, images: [heights], noData: '-9999' });
  const { kind, layers, uses, issues, thumbnail } = await inspectFile('dgm10.tif', file);
  const [layer] = layers;
  assert.equal(kind, 'terrain');
  assert.deepEqual(layer!.crs, { code: 'EPSG:25832', name: 'ETRS89 / UTM zone 32N', isGuessed: false });
  assert.equal(layer!.verticalDatum, 'DHHN2016 height');
  assert.ok(layer!.bbox![0]! > 10.3 && layer!.bbox![2]! < 10.4 && layer!.bbox![3]! < 48.77);
  const [low, high] = layer!.details!['heightRange'] as [number, number];
  assert.ok(low > 280 && high < 450, `${low} to ${high}`);
  assert.equal(uses[0]!.type, 'qmesh');
  assert.deepEqual(issues, []);
  assert.match(thumbnail!, /^data:image\/(webp|png);base64,/);
});

test('an undeclared no-data value and impossible heights are reported', async () => {
  const undeclared = await inspectFile('a.tif', writeTiff({ ...placed, images: [heights] }));
  assert.deepEqual(codesOf(undeclared), ['undeclaredNoData']);
  assert.ok((undeclared.layers[0]!.details!['heightRange'] as number[])[0]! > 0);
  const sample = (x: number) => x * 1000;
  const high = await inspectFile('b.tif', writeTiff({ ...placed, images: [{ ...heights, sample }] }));
  assert.deepEqual(codesOf(high), ['impossibleHeights']);
});

const colours = (side: number, more: Partial<WrittenImage> = {}): WrittenImage => ({
  width: side,
  height: side,
  tile: 256,
  bands: 4,
  extraSamples: [2],
  isDeflated: true,
  sample: (x, y, band) => (band === 3 ? 255 : (x * 3 + y * band) & 255),
  ...more,
});
const overview = { subfileType: 1 } as const;
const cog: WrittenTiff = {
  images: [colours(1024), colours(512, overview), colours(256, overview)],
  keys: keysOf(3857),
  scale: [1, 1],
  tie: [0, 0, 0, 1_280_000, 6_130_000, 0],
};

test('a COG that the viewer shows is a datasource as it is', async () => {
  const report = await inspectFile('luftbild.tif', writeTiff(cog));
  assert.deepEqual(
    [report.formatTitle, report.kind, codesOf(report)],
    ['Cloud-optimized GeoTIFF', 'raster', []],
  );
  assert.deepEqual([report.uses[0]!.type, report.uses[0]!.confidence], ['cog', 0.95]);
  assert.deepEqual(report.layers[0]!.details!['overviews'], ['512 × 512', '256 × 256']);
  const webp = Buffer.from(report.thumbnail!.split(',')[1]!, 'base64');
  assert.deepEqual(
    await sharp(webp)
      .metadata()
      .then(({ width, height }) => [width, height]),
    [256, 256],
  );
});

test('a GeoTIFF that it does not show says how to mend it', async () => {
  const report = await inspectFile('utm.tif', writeTiff({ ...cog, keys: keysOf(25832), tie: placed.tie }));
  assert.deepEqual(codesOf(report), ['notShownByViewer']);
  assert.match(report.issues[0]!.message, /EPSG:3857, not in EPSG:25832.*platenConvertRaster/);
  assert.ok(report.uses[0]!.confidence < 0.5);
});

test('a mask hides pixels of the thumbnail', async () => {
  const rgb = { bands: 3, extraSamples: undefined } as unknown as Partial<WrittenImage>;
  const mask: WrittenImage = {
    ...colours(256),
    bands: 1,
    subfileType: 4,
    photometric: 4,
    sample: (x) => (x < 128 ? 0 : 1),
  };
  const { extraSamples: _none, ...plain } = colours(256, rgb);
  const report = await inspectFile('masked.tif', writeTiff({ ...cog, images: [plain, mask] }));
  assert.equal(report.layers[0]!.details!['hasMask'], true);
  const { data } = await sharp(Buffer.from(report.thumbnail!.split(',')[1]!, 'base64'))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.deepEqual([data[3], data[255 * 4 + 3]], [0, 255]);
});

test('a panorama is recognised by its metadata', async () => {
  const metadata = '<GDALMetadata><Item name="PANORAMA_VERSION">1.0</Item></GDALMetadata>';
  const images = [colours(512, { height: 256, bands: 3 })];
  const { uses } = await inspectFile('p_rgb.tif', writeTiff({ images, metadata }));
  assert.equal(uses[0]!.type, 'panorama');
});

test('a TIFF takes its position from a world file and a .prj next to it', async () => {
  const files = {
    'scan.tif': writeTiff({ images: [colours(256)] }),
    'scan.tfw': '10\n0\n0\n-10\n600005\n5399995\n',
    'scan.prj': 'EPSG:25832',
  };
  const report = await inspectSubject(subjectOf(files, 'scan.tif'));
  assert.equal(report!.layers[0]!.crs!.code, 'EPSG:25832');
  assert.equal(codesOf(report!).includes('noGeoreference'), false);
});

test('coordinates that contradict the CRS are reported with a suggestion', async () => {
  const report = await inspectFile(
    'x.tif',
    writeTiff({ ...placed, keys: keysOf(4326, 2), images: [heights], noData: '-9999' }),
  );
  assert.deepEqual(codesOf(report), ['projectedCoordinates']);
  assert.deepEqual([report.layers[0]!.crs!.code, report.layers[0]!.crs!.isGuessed], ['EPSG:25832', true]);
});

test('pictures with a world file and photos with GPS tags have a position, others do not', async () => {
  const png = writePng(new Uint8Array(8 * 8 * 4).fill(99), 8, 8);
  const files = { 'map.png': png, 'map.pgw': '1\n0\n0\n-1\n1280000.5\n6129999.5\n', 'map.prj': 'EPSG:3857' };
  const map = await inspectSubject(subjectOf(files, 'map.png'));
  assert.deepEqual([map!.uses[0]!.type, map!.layers[0]!.crs!.code], ['cog', 'EPSG:3857']);
  assert.deepEqual(codesOf(map!), ['notShownByViewer']);
  assert.match(map!.thumbnail!, /^data:image\/webp/);
  const exif = exifAt({ latitude: 48, longitude: 11, altitude: 500 });
  const photo = await inspectFile('dsc.jpg', jpegOf({ width: 40, height: 30, exif }));
  assert.ok(codesOf(photo).includes('photo'));
  assert.equal((photo.layers[0]!.details!['takenAt'] as { latitude: number }).latitude, 48);
  assert.deepEqual(codesOf(await inspectFile('map.png', png)), ['noGeoreference']);
});

test('an image bomb is reported from its header, and not decoded', async () => {
  const bomb = Buffer.from(writePng(new Uint8Array(16), 2, 2));
  bomb.writeUInt32BE(100_000, 16);
  bomb.writeUInt32BE(100_000, 20);
  const before = process.memoryUsage().rss;
  const report = await inspectFile('bomb.png', bomb);
  assert.ok(codesOf(report).includes('hugeImage'));
  assert.equal(report.thumbnail, undefined);
  assert.ok(process.memoryUsage().rss - before < 100e6);
});

test('a TIFF of 10^12 pixels is described from its directory alone', async () => {
  const file = writeTiff({ ...placed, images: [{ ...heights, tile: 16 }] });
  const image = await readTiff(countedBytes(file));
  for (const id of [256, 257]) file.writeUInt32LE(1_000_000, image.directories[0]!.tags.get(id)!.offset);
  const bytes = countedBytes(file);
  const { layers, thumbnail } = (await inspectSubject(subjectOf({ 'big.tif': bytes }, 'big.tif')))!;
  assert.deepEqual([layers[0]!.details!['width'], thumbnail], [1_000_000, undefined]);
  assert.ok(bytes.bytesRead() < 1e6);
});

test('a .hgt takes its position from its name, an ASCII grid from its header', async () => {
  const hgt = Buffer.alloc(1201 * 1201 * 2, Buffer.from([1, 44]));
  const tile = await inspectFile('S34W071.hgt', hgt);
  assert.deepEqual(tile.layers[0]!.bbox!.map(Math.round), [-71, -34, -70, -33]);
  assert.equal(tile.layers[0]!.verticalDatum, 'EGM96 height');
  assert.deepEqual(tile.layers[0]!.details!['heightRange'], [300, 300]);
  assert.deepEqual(codesOf(await inspectFile('S34W071.hgt', hgt.subarray(0, 1e6))), ['damagedFile']);
  const asc =
    'ncols 3\nnrows 2\nxllcorner 600000\nyllcorner 5400000\ncellsize 10\nNODATA_value -9999\n1 2 3\n4 5 6\n';
  const grid = await inspectFile('dgm.asc', asc);
  assert.deepEqual(
    [grid.format, codesOf(grid), grid.layers[0]!.crs!.isGuessed],
    ['asciiGrid', ['missingCrs'], true],
  );
});

const files: Readonly<Record<string, Uint8Array>> = {
  'cog.tif': writeTiff({
    ...cog,
    images: [colours(64, { tile: 32 }), colours(32, { ...overview, tile: 32 })],
  }),
  'big.tif': writeTiff({ ...placed, images: [heights], isBig: true, isLittle: false, noData: '-9999' }),
  'a.jpg': jpegOf({ width: 30, height: 20, exif: exifAt({ latitude: 1, longitude: 2, altitude: 3 }) }),
  'a.png': writePng(
    new Uint8Array(30 * 30 * 4).map((_, i) => i),
    30,
    30,
  ),
  'a.webp': webpOf('VP8X', 30, 20),
  'a.asc': Buffer.from(
    'ncols 3\nnrows 2\nxllcorner 6\nyllcorner 5\ncellsize 1\nNODATA_value -9999\n1 2 3\n4 5 6\n',
  ),
};
for (const [name, content] of Object.entries(files)) {
  test(`survives damage of ${name}`, () => survivesDamage({ [name]: content }, name, name));
}

for (const [path, expected] of [
  ['imagery/OSBS_029.tif', { format: 'geotiff', code: 'EPSG:32617', west: -81.99 }],
  ['terrain/N49E011.hgt', { format: 'hgt', code: 'EPSG:4326', west: 11 }],
] as const) {
  const { skip, name, read } = sampleFile(path);
  test(`the report recognises ${path}`, { skip }, async () => {
    const { format, layers, thumbnail } = await inspectFile(name, await read());
    assert.deepEqual([format, layers[0]!.crs!.code], [expected.format, expected.code]);
    assert.ok(Math.abs(layers[0]!.bbox![0]! - expected.west) < 0.01);
    assert.ok(thumbnail!.length < 120_000);
  });
}

test('JPEG 2000 is described by its headers, with the place in it or beside it', async () => {
  const codestream = await codestreamOf({ width: 64, height: 48, bands: 3, tile: 32, sample: (x) => x });
  const report = await inspectFile('ortho.jp2', jp2Of(codestream, { place: placed }));
  assert.deepEqual([report.format, report.kind], ['jpeg2000', 'raster']);
  const [layer] = report.layers;
  assert.equal(layer!.details!['blocks'], 'tiles 32 × 32');
  assert.ok(layer!.bbox);
  const bare = await inspectFile('bare.j2k', codestream);
  assert.deepEqual(codesOf(bare), ['noGeoreference']);
  const cutOff = await inspectFile('cut.j2k', codestream.subarray(0, -50));
  assert.deepEqual(codesOf(cutOff), ['damagedFile']);
});

test('a raster that crosses 180° lies in the area of its coordinate system, and is as small as it is', async () => {
  const tie = [0, 0, 0, 819_428 - 1000, 8_120_000, 0] as const;
  const image = { width: 200, height: 100, sample: () => 1 };
  const crossing = writeTiff({ images: [image], keys: keysOf(32_760), scale: [10, 10], tie });
  const report = await inspectFile('fiji.tif', crossing);
  assert.ok(!codesOf(report).includes('outsideCrsArea'));
  const { area } = report.raster!;
  assert.ok(area > 2000 * 1000 && area < 3000 * 1500, `${area} m² of web mercator`);
});
