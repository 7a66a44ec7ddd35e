import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { afterFile } from '../../checks/clean-up.ts';
import { promisify } from 'node:util';
import { bytesOf } from '../bytes/unpacked-bytes.ts';
import { writeAll } from '../bytes/file-appender.ts';
import { openFile } from '../bytes/open-file.ts';
import { checkCogLayout } from './cog-layout.ts';
import { packBlock, type BlockForm } from './pack-block.ts';
import { openBlocks, type Samples } from './read-block.ts';
import { readImage } from './read-image.ts';
import { readTiff } from './read-tiff.ts';
import { hasCogValidator, validateCog } from './testing-cog.ts';
import { writeCog, type Cog, type CogBlocks } from './write-cog.ts';
import { tagType, type WrittenTag } from './write-directory.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-cog-'));
afterFile(() => rm(folder, { recursive: true }));
const skip = hasCogValidator() ? false : 'SKIPPED: no validator of GDAL here (apt-get install python3-gdal)';
const side = 64;

const short = (id: number, ...values: number[]): WrittenTag => ({ id, type: tagType.short, values });

function blocksOf(blocks: readonly Uint8Array[]): CogBlocks {
  return { count: blocks.length, lengthOf: (i) => blocks[i]!.length, read: (i) => blocks[i]! };
}

interface Written {
  readonly form: Omit<BlockForm, 'width'>;
  readonly tags: readonly WrittenTag[];
  readonly make: (length: number) => Samples;
  readonly hasMask?: boolean;
  readonly maxClassicBytes?: number;
}

/** An image of 150 × 100 pixels with its overviews. */
async function written({ form, tags, make, hasMask = false, ...limit }: Written) {
  const images = [];
  for (const [width, height] of [
    [150, 100],
    [75, 50],
    [38, 25],
  ] as const) {
    const count = Math.ceil(width / side) * Math.ceil(height / side);
    const blocks: Uint8Array[] = [];
    const masks: Uint8Array[] = [];
    for (let i = 0; i < count; i++) {
      blocks.push(await packBlock(make(side * side * form.bands), { ...form, width: side }));
      const mask = Uint8Array.from({ length: side * side }, (_, pixel) => (pixel % 3 === i % 3 ? 1 : 0));
      masks.push(
        await packBlock(mask, { width: side, bands: 1, bits: 1, compression: 'deflate', predictor: 1 }),
      );
    }
    images.push({
      width,
      height,
      tags,
      blocks: blocksOf(blocks),
      ...(hasMask && { mask: blocksOf(masks) }),
    });
  }
  const cog: Cog = { blockSide: side, images, ...limit };
  const { chunks, size, isBig } = writeCog(cog);
  const bytes = Buffer.concat([...chunks].map((chunk) => Buffer.from(chunk)));
  assert.equal(bytes.length, size);
  return { bytes, isBig };
}

async function open(bytes: Uint8Array) {
  const tiff = await readTiff(bytesOf(bytes));
  assert.equal(tiff.fault, undefined);
  const images = [];
  for (const directory of tiff.directories) images.push(await readImage(tiff, directory));
  return { tiff, images, image: images[0]! };
}

const forms = {
  bytes: { bits: 8, format: 1, bands: 3, predictor: 2, type: Uint8Array },
  'signed bytes': { bits: 8, format: 2, bands: 1, predictor: 2, type: Int8Array },
  shorts: { bits: 16, format: 1, bands: 4, predictor: 2, type: Uint16Array },
  'signed longs': { bits: 32, format: 2, bands: 1, predictor: 2, type: Int32Array },
  floats: { bits: 32, format: 3, bands: 2, predictor: 3, type: Float32Array },
  doubles: { bits: 64, format: 3, bands: 1, predictor: 3, type: Float64Array },
} as const;

for (const [name, { bits, format, bands, predictor, type }] of Object.entries(forms)) {
  for (const compression of ['deflate', 'zstd'] as const) {
    test(`writes ${name} with ${compression}, which are read as they were`, async () => {
      const made: Samples[] = [];
      const { bytes } = await written({
        form: { bands, bits, compression, predictor },
        tags: [
          short(258, ...Array.from({ length: bands }, () => bits)),
          short(259, compression === 'deflate' ? 8 : 50_000),
          short(262, 1),
          short(277, bands),
          short(284, 1),
          short(317, predictor),
          ...(bands > 1 ? [short(338, ...Array.from({ length: bands - 1 }, () => 0))] : []),
          short(339, ...Array.from({ length: bands }, () => format)),
        ],
        make(length) {
          const scale = format === 3 ? 1e4 : 2 ** bits;
          const samples: Samples = new type(length);
          for (let i = 0; i < length; i++) samples[i] = Math.sin(i * 0.7 + made.length) * scale;
          made.push(samples);
          return samples;
        },
      });
      const { tiff, images, image } = await open(bytes);
      assert.deepEqual(await checkCogLayout(tiff, images), { faults: [], hasGhostArea: true });
      const blocks = openBlocks(tiff, image)!;
      assert.deepEqual(await blocks.read(0, 0), made[0]);
      assert.deepEqual(await blocks.read(2, 1), made[5]);
      assert.deepEqual(await openBlocks(tiff, images[2]!)!.read(0, 0), made.at(-1));
    });
  }
}

const grey = [short(258, 8), short(259, 8), short(262, 1), short(277, 1), short(284, 1)];

test('masks follow the blocks that they belong to, and every block is framed', async () => {
  const { bytes } = await written({
    form: { bands: 1, bits: 8, compression: 'deflate', predictor: 1 },
    tags: grey,
    make: (length) => new Uint8Array(length).fill(7),
    hasMask: true,
  });
  const { tiff, images } = await open(bytes);
  assert.deepEqual(
    images.map(({ isMask, isOverview, width }) => [isMask, isOverview, width]),
    [
      [false, false, 150],
      [true, false, 150],
      [false, true, 75],
      [true, true, 75],
      [false, true, 38],
      [true, true, 38],
    ],
  );
  const mask = (await openBlocks(tiff, images[1]!)!.read(1, 0))!;
  assert.deepEqual([...mask.subarray(0, 6)], [0, 1, 0, 0, 1, 0]);
  const path = join(folder, 'mask.tif');
  await writeFile(path, bytes);
  if (!skip) assert.deepEqual(await validateCog(path), []);
});

test('a file larger than the limit is BigTIFF with the same pixels and masks', async () => {
  const content = {
    form: { bands: 1, bits: 8, compression: 'deflate', predictor: 1 },
    tags: grey,
    make: (length: number) => Uint8Array.from({ length }, (_, i) => (i * i) >> 3),
    hasMask: true,
  } as const;
  const classic = await written(content);
  const atLimit = await written({ ...content, maxClassicBytes: classic.bytes.length });
  assert.deepEqual([atLimit.isBig, atLimit.bytes], [false, classic.bytes]);
  const big = await written({ ...content, maxClassicBytes: classic.bytes.length - 1 });
  assert.ok(big.isBig);
  const [one, other] = [await open(classic.bytes), await open(big.bytes)];
  assert.ok(other.tiff.isBig && !one.tiff.isBig);
  assert.equal(other.images.length, one.images.length);
  assert.deepEqual(await checkCogLayout(other.tiff, other.images), { faults: [], hasGhostArea: true });
  for (const [number, image] of one.images.entries()) {
    const [blocks, bigBlocks] = [
      openBlocks(one.tiff, image)!,
      openBlocks(other.tiff, other.images[number]!)!,
    ];
    for (let row = 0; row < blocks.rows; row++)
      for (let column = 0; column < blocks.columns; column++)
        assert.deepEqual(await bigBlocks.read(column, row), await blocks.read(column, row));
  }
  const path = join(folder, 'small-big.tif');
  await writeFile(path, big.bytes);
  if (!skip) assert.deepEqual(await validateCog(path), []);
});

test("GDAL's validator finds nothing, in BigTIFF above 4 GB neither", { skip }, async () => {
  const path = join(folder, 'big.tif');
  const zeros = new Uint8Array(4096 * 4096);
  const images = [16_000 * 4, 32_000, 16_000, 8000, 4000].map((pixels) => {
    const count = Math.ceil(pixels / 4096) ** 2;
    const blocks: CogBlocks = { count, lengthOf: () => zeros.length, read: () => zeros };
    return {
      width: pixels,
      height: pixels,
      tags: grey.map((tag) => (tag.id === 259 ? short(259, 1) : tag)),
      blocks,
    };
  });
  const { chunks, isBig, size } = writeCog({ blockSide: 4096, images });
  assert.ok(isBig && size > 2 ** 32);
  const file = openSync(path, 'w');
  let at = 0;
  for (const chunk of chunks) {
    // only what is not zero, so that the file takes no space
    if (chunk.length === zeros.length + 8) writeAll(file, chunk.subarray(0, 4), at);
    else writeAll(file, chunk, at);
    at += chunk.length;
  }
  ftruncateSync(file, at);
  closeSync(file);
  assert.equal(statSync(path).size, size);
  assert.deepEqual(await validateCog(path), []);
  const { stdout } = await promisify(execFile)('gdalinfo', [path]);
  assert.match(stdout, /Size is 64000, 64000/);
  const bytes = await openFile(path);
  const tiff = await readTiff(bytes);
  assert.equal(tiff.isBig, true);
  await bytes.close();
});
