import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { bytesOf } from '../bytes/unpacked-bytes.ts';
import { packBits } from './pack-block.ts';
import { openBlocks, type Samples } from './read-block.ts';
import { readImage } from './read-image.ts';
import { readTiff } from './read-tiff.ts';
import { writeTiff, type WrittenImage } from './testing.ts';
import { lercBlocks } from './testing-lerc.ts';

async function firstBlock(image: WrittenImage): Promise<Samples | undefined> {
  const tiff = await readTiff(bytesOf(writeTiff({ images: [image] })));
  const described = await readImage(tiff, tiff.directories[0]!);
  return openBlocks(tiff, described)!.read(0, 0);
}

function lercBlock(
  block: keyof typeof lercBlocks,
  more: Partial<WrittenImage>,
): Promise<Samples | undefined> {
  const packed = { compression: 34_887, block: lercBlocks[block] };
  return firstBlock({ width: 8, height: 6, packed, sample: () => 0, ...more });
}

const eachPixel = <T>(value: (x: number, y: number) => T): T[] =>
  Array.from({ length: 48 }, (_, i) => value(i % 8, Math.floor(i / 8)));

test('LERC is read: floats with hidden ones, alpha as a mask, whole numbers within Deflate', async () => {
  const floats = eachPixel((x, y) => (x === 3 && y === 2 ? NaN : Math.fround(x * 1.5 - y * 100.25)));
  assert.deepEqual([...(await lercBlock('floats', { bits: 32, sampleFormat: 3 }))!], floats);
  const colours = eachPixel((x, y) => (x < 4 ? [x * 30, y * 40, x * y, 255] : [0, 0, 0, 0]));
  const alpha = await lercBlock('alpha', { bands: 4, extraSamples: [2] });
  assert.deepEqual([...alpha!], colours.flat());
  const more = { bits: 16, sampleFormat: 2, bands: 2, more: { 50_674: [4, 1] } } as const;
  const numbers = eachPixel((x, y) => [x * 3000 - 9000, y * 4]);
  assert.deepEqual([...(await lercBlock('deflated', more))!], numbers.flat());
});

test('LERC of another size than its tile is damaged', async () => {
  for (const more of [{ width: 9 }, { height: 7 }, { bands: 3 }])
    await assert.rejects(lercBlock('floats', { bits: 32, sampleFormat: 3, ...more }), /damaged/);
});

test('YCbCr without JPEG becomes RGB, with colours of half the resolution', async () => {
  // two units of two by two pixels: Y of each, Cb, Cr
  const units = Buffer.of(76, 76, 0, 255, 85, 255, 29, 150, 226, 128, 128, 128);
  const image = { width: 4, height: 2, bands: 3, photometric: 6, sample: () => 0, more: { 530: [2, 2] } };
  const rgb = await firstBlock({ ...image, packed: { compression: 1, block: units } });
  const packed = { compression: 8, block: deflateSync(units) };
  assert.deepEqual(await firstBlock({ ...image, packed }), rgb);
  const near = (pixel: number, colour: readonly number[]): void =>
    colour.forEach((value, i) => assert.ok(Math.abs(rgb![pixel * 3 + i]! - value) <= 2, rgb!.join()));
  near(0, [254, 0, 0]); // BT.601's red
  near(2, [29, 29, 29]);
  near(3, [150, 150, 150]);
  near(6, [226, 226, 226]);
});

test('samples of any number of bits below 8 are read as they were packed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 21 }),
      fc.infiniteStream(fc.nat(127)),
      async (bits, bands, width, numbers) => {
        const samples = Uint8Array.from(
          { length: width * bands * 3 },
          () => numbers.next().value & (2 ** bits - 1),
        );
        const block = Buffer.from(packBits(samples, width * bands, bits));
        const packed = { compression: 1, block };
        const image = { width, height: 3, bands, photometric: 1, packed, sample: () => 0 };
        const file = { ...image, more: { 258: Array.from({ length: bands }, () => bits) } };
        assert.deepEqual(await firstBlock(file), samples);
      },
    ),
  );
});

test('the bits of bytes are turned around where the file says so', async () => {
  const packed = { compression: 1, block: Buffer.of(0b0000_0011, 0b1000_0000) };
  const image = { width: 8, height: 2, bits: 1, packed, sample: () => 0 } as const;
  const bitsOf = async (more: WrittenImage['more'] = {}) =>
    [...(await firstBlock({ ...image, more }))!].join('');
  assert.equal(await bitsOf(), '0000001110000000');
  assert.equal(await bitsOf({ 266: [2] }), '1100000000000001');
});
