import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { writeTiff } from '@platen/formats/geotiff/testing';
import { seeded } from '@platen/formats/wkb/testing';
import { openImageCodec, type ImageCodec } from './image-codec.ts';
import { ImageError } from './image-error.ts';
import { loadSharp } from './load-sharp.ts';
import type { RasterImage } from './raster-image.ts';

/** Opened by each test, as what is shared between files must not be awaited while they declare tests. */
const codec: ImageCodec = {
  decode: async (...args) => (await openImageCodec())!.decode(...args),
  encode: async (...args) => (await openImageCodec())!.encode(...args),
  encodeTiles: async (...args) => (await openImageCodec())!.encodeTiles(...args),
};

/** Colours that differ from pixel to pixel, opaque on the left only if there is alpha. */
function makeImage(width: number, height: number, bands: number): RasterImage {
  const samples = Uint8Array.from({ length: width * height * bands }, (_, i) => {
    const [x, band] = [Math.floor(i / bands) % width, i % bands];
    return bands % 2 === 0 && band === bands - 1
      ? x * 2 < width
        ? 255
        : 0
      : (x * 5 + Math.floor(i / width) * 3) & 255;
  });
  return { width, height, bands, samples };
}
const photo = makeImage(60, 40, 3);
/** Mean difference of samples. */
const distance = (one: RasterImage, other: RasterImage) =>
  Array.from(one.samples as ArrayLike<number>).reduce(
    (sum, value, i) => sum + Math.abs(value - other.samples[i]!),
    0,
  ) / one.samples.length;

test('PNG and lossless WebP keep every sample, of any number of bands', async () => {
  for (const bands of [1, 2, 3, 4]) {
    const image = makeImage(33, 17, bands);
    assert.deepEqual(
      await codec.decode(await codec.encode(image, { format: 'png' })),
      image,
      `${bands} bands`,
    );
  }
  for (const bands of [3, 4] as const) {
    const image = makeImage(33, 17, bands);
    const webp = await codec.encode(image, { format: 'webp', isLossless: true });
    assert.deepEqual(await codec.decode(webp, { bands }), image, `${bands} bands`);
  }
});

test('16 bits and floats are kept', async () => {
  for (const bands of [1, 3]) {
    const samples = Uint16Array.from({ length: 5 * 4 * bands }, (_, i) => (i * 2711) & 0xffff);
    const deep = { width: 5, height: 4, bands, samples };
    assert.deepEqual(await codec.decode(await codec.encode(deep, { format: 'png' })), deep);
    const sampleAt = (x: number, y: number, band: number) => (y * 5 + x) * 100.25 - 300 + band;
    const size = { width: 5, height: 4, bands, bits: 32, sampleFormat: 3 } as const;
    const { samples: heights } = await codec.decode(writeTiff({ images: [{ ...size, sample: sampleAt }] }));
    assert.ok(heights instanceof Float32Array);
    assert.deepEqual([heights.at(0), heights.at(-1)], [-300, 19 * 100.25 - 300 + bands - 1]);
  }
});

test('lossy formats come close, and alpha is kept or put on a background', async () => {
  for (const format of ['jpeg', 'webp', 'avif'] as const) {
    const best = await codec.encode(photo, { format, quality: 95 });
    const worst = await codec.encode(photo, { format, quality: 10 });
    assert.ok(best.length > worst.length, format);
    assert.ok(distance(await codec.decode(best, { bands: 3 }), photo) < 12, format);
  }
  const half = makeImage(32, 16, 4);
  const { samples } = await codec.decode(await codec.encode(half, { format: 'webp' }));
  assert.deepEqual([samples[3], samples.at(-1)], [255, 0]);
  const background = [250, 0, 0] as const;
  const flat = await codec.decode(
    await codec.encode(half, { format: 'jpeg', background, hasFullChroma: true }),
  );
  assert.equal(flat.bands, 3);
  assert.ok([...flat.samples.subarray(-3)].every((value, i) => Math.abs(value - background[i]!) < 12));
});

test('an image is converted to bands, shrunk, stretched and turned upright', async () => {
  const grey = await codec.encode(makeImage(40, 30, 1), { format: 'png' });
  for (const bands of [1, 2, 3, 4] as const) assert.equal((await codec.decode(grey, { bands })).bands, bands);
  const colours = { width: 2, height: 1, bands: 3, samples: Uint8Array.of(0, 255, 0, 255, 0, 0) };
  const coloured = await codec.encode(colours, { format: 'png' });
  assert.deepEqual([...(await codec.decode(coloured, { bands: 1 })).samples], [220, 127]);
  assert.deepEqual([...(await codec.decode(coloured, { bands: 2 })).samples], [220, 255, 127, 255]);
  const cmyk = await sharp(photo.samples, { raw: { width: 60, height: 40, channels: 3 } })
    .toColourspace('cmyk')
    .jpeg()
    .toBuffer();
  assert.equal((await sharp(cmyk).metadata()).space, 'cmyk');
  assert.ok(distance(await codec.decode(cmyk), photo) < 40);
  const sizeOf = async (resize: { width: number; height: number; fit: 'inside' | 'fill' }) => {
    const { width, height } = await codec.decode(grey, { resize });
    return [width, height];
  };
  assert.deepEqual(await sizeOf({ width: 20, height: 20, fit: 'inside' }), [20, 15]);
  assert.deepEqual(await sizeOf({ width: 200, height: 200, fit: 'inside' }), [40, 30]);
  assert.deepEqual(await sizeOf({ width: 50, height: 50, fit: 'fill' }), [50, 50]);
  const thumbnail = await codec.decode(await codec.encode(photo, { format: 'webp', maxSide: 16 }));
  assert.deepEqual([thumbnail.width, thumbnail.height], [16, 11]);
  const turned = await sharp(await codec.encode(photo, { format: 'jpeg' }))
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const upright = await codec.decode(turned, { isUpright: true });
  assert.deepEqual([upright.width, upright.height], [40, 60]);
});

const refused = (bytes: Uint8Array, code: ImageError['code'], message: RegExp, options = {}) =>
  assert.rejects(codec.decode(bytes, options), (error) => {
    assert.ok(error instanceof ImageError);
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });

test('other formats, and those that are not asked for, never reach native code', async () => {
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  for (const bytes of [
    gif,
    svg,
    Buffer.from('%PDF-1.7\n'),
    Buffer.from('P6 1 1 255\nabc'),
    Buffer.alloc(0),
    Buffer.of(255),
  ])
    await refused(bytes, 'unsupported', /avif, jpeg, png, tiff, webp/);
  const png = await codec.encode(photo, { format: 'png' });
  await refused(png, 'unsupported', /is read: jpeg\./, { formats: ['jpeg'] });
});

test('too many pixels, for the limit or for the bytes, are refused by the header', async () => {
  const png = await codec.encode(photo, { format: 'png' });
  await refused(png, 'tooLarge', /60 × 40 pixels, but at most 100/, { maxPixels: 100 });
  const bomb = Buffer.from(png);
  bomb.writeUInt32BE(60_000, 16);
  bomb.writeUInt32BE(60_000, 20);
  await refused(bomb, 'tooLarge', /60000 × 60000|too many/);
  const blank = { width: 4096, height: 4096, bands: 3, samples: new Uint8Array(4096 * 4096 * 3) };
  const tiny = await codec.encode(blank, { format: 'webp', isLossless: true, effort: 0 });
  assert.ok(tiny.length < 5000);
  await refused(tiny, 'tooLarge', /4096 × 4096 pixels, but at most .* for its \d+ bytes/);
});

test('what cannot be written is refused with the reason', async () => {
  const wide = { width: 16_384, height: 1, bands: 1, samples: new Uint8Array(16_384) };
  await assert.rejects(
    codec.encode(wide, { format: 'webp' }),
    /16384 × 1 pixels, but webp has at most 16383/,
  );
  const deep = { width: 1, height: 1, bands: 1, samples: Uint16Array.of(1) };
  await assert.rejects(codec.encode(deep, { format: 'jpeg' }), { code: 'unsupported', message: /16 bits/ });
  await assert.rejects(codec.encode({ ...deep, width: 2 }, { format: 'png' }), RangeError);
});

test('damaged images are errors or images, and never end the process', async (t) => {
  const random = seeded(7);
  let refusals = 0;
  for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
    const whole = Buffer.from(await codec.encode(photo, { format }));
    await refused(
      whole.subarray(0, whole.length >> 1),
      'damaged',
      /^The pixels of the image cannot be read \(/,
    );
    for (let n = 0; n < 60; n++) {
      const bytes = Buffer.from(whole);
      for (let i = 0; i < 4; i++) bytes[random(bytes.length)] = random(256);
      await codec.decode(bytes, { bands: 3 }).then(
        ({ samples, width, height }) => assert.equal(samples.length, width * height * 3),
        (error) => {
          assert.ok(error instanceof ImageError, String(error));
          refusals++;
        },
      );
    }
  }
  t.diagnostic(`${refusals} of 240 were refused`);
  assert.ok(refusals > 20 && refusals < 240);
});

test('what is decoded and encoded moves to another thread without being copied', async () => {
  const png = await codec.encode(photo, { format: 'png' });
  const { samples } = await codec.decode(png);
  for (const { buffer } of [png, samples]) {
    const { byteLength } = structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
    assert.ok(byteLength > 0 && buffer.byteLength === 0);
  }
});

test('at most as many images as planned are worked on at a time', async () => {
  const big = await codec.encode(makeImage(900, 900, 3), { format: 'png' });
  let maxRunning = 0;
  const { decode } = (await openImageCodec(2))!;
  const images = Array.from({ length: 8 }, () => decode(big));
  let isOver = false;
  const all = Promise.all(images).finally(() => (isOver = true));
  while (!isOver) {
    // `queue` is read before `process`: their sum may count an image twice.
    maxRunning = Math.max(maxRunning, sharp.counters().process);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal((await all).length, 8);
  assert.equal(maxRunning, 2);
});

test('the library keeps nothing, uses one thread for an image, and opens no file even without the guard of a job', async (t) => {
  await loadSharp();
  assert.deepEqual([sharp.concurrency(), sharp.cache().memory.max], [1, 0]);
  const folder = await mkdtemp(join(tmpdir(), 'platen-codec-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'a.png');
  await writeFile(path, await codec.encode(photo, { format: 'png' }));
  await assert.rejects(sharp(path).toBuffer(), /unsupported image format/);
  await assert.rejects(
    sharp(photo.samples, { raw: { width: 60, height: 40, channels: 3 } }).toFile(path),
    /blocked/,
  );
});

test('tiles of one call are those of the image, and JPEG tiles are whole with their tables', async () => {
  const image = makeImage(128, 64, 3);
  const { tiles, tables } = await codec.encodeTiles(image, { format: 'jpeg', quality: 85, side: 64 });
  assert.equal(tiles.length, 2);
  const whole = Buffer.concat([tables.subarray(0, -2), tiles[1]!.subarray(2)]);
  const { samples } = await codec.decode(whole);
  const [row, column] = [32, 10];
  const at = (row * 64 + column) * 3;
  const wanted = image.samples[(row * 128 + 64 + column) * 3]!;
  assert.ok(Math.abs(samples[at]! - wanted) < 20, `${samples[at]} instead of ${wanted}`);
  const webp = await codec.encodeTiles(makeImage(128, 64, 4), { format: 'webp', quality: 90, side: 64 });
  assert.equal((await codec.decode(webp.tiles[1]!)).bands, 4);
  assert.equal(webp.tables.length, 0);
});
