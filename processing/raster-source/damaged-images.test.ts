import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { keysOf, writeTiff, type WrittenImage } from '@platen/formats/geotiff/testing';
import { lercBlocks } from '@platen/formats/geotiff/testing-lerc';
import { codestreamOf, jp2Of } from '@platen/formats/jpeg2000/testing';
import { mutate } from '@platen/formats/wkb/testing';
import sharp from 'sharp';
import { afterFile } from '../../checks/clean-up.ts';
import { JobFailure, type JobInput } from '../job-type.ts';
import { requireImageCodec } from '../kit/images/image-codec.ts';
import { testContext } from '../testing-context.ts';
import { findMosaicSheets } from './find-sheets.ts';
import { readMask } from './mask/mask-settings.ts';
import { openSheetReader } from './read-sheets.ts';
import { openSheetTests } from './testing.ts';

const tests = await openSheetTests(() => Promise.reject(new Error('Sheets are read without a job.')));
afterFile(tests.remove);

const side = 32;
const place = { keys: keysOf(25_832), scale: [2, 2], tie: [0, 0, 0, 500_000, 5_500_000, 0] } as const;
const image: WrittenImage = {
  width: side,
  height: side,
  bands: 3,
  photometric: 2,
  tile: side,
  sample: (x, y, band) => (x * 7 + y * 3 + band * 50) & 255,
};
const world = Buffer.from([2, 0, 0, -2, 500_001, 5_499_999].join('\n'));

const samples = Uint8Array.from({ length: side * side * 3 }, (_, i) => (i * 7) & 255);
const picture = { width: side, height: side, bands: 3, samples };

async function encoded(format: 'jpeg' | 'png' | 'webp'): Promise<Uint8Array> {
  return (await requireImageCodec()).encode(picture, { format });
}

/** A TIFF whose only tile is packed in another way. */
const packedAs = (code: number, block: Uint8Array): Buffer =>
  writeTiff({ images: [{ ...image, packed: { compression: code, block: Buffer.from(block) } }], ...place });

const packedByLibtiff = (compression: 'lzw' | 'packbits'): Promise<Uint8Array> =>
  sharp(samples, { raw: { width: side, height: side, channels: 3 } })
    .tiff({ compression, predictor: 'none' })
    .toBuffer();

const files: Readonly<Record<string, () => Promise<Uint8Array> | Uint8Array>> = {
  'plain.tif': () => writeTiff({ images: [image], ...place }),
  'deflate.tif': () => packedAs(8, deflateSync(samples)),
  'jpeg.tif': async () => packedAs(7, await encoded('jpeg')),
  'webp.tif': async () => packedAs(50_001, await encoded('webp')),
  // written by libtiff, with the place in a world file
  'lzw.tiff': () => packedByLibtiff('lzw'),
  'packbits.tiff': () => packedByLibtiff('packbits'),
  'lerc.tif': () => {
    const packed = { compression: 34_887, block: lercBlocks.floats };
    const floats = { width: 8, height: 6, bits: 32, sampleFormat: 3, packed, sample: () => 0 } as const;
    return writeTiff({ images: [floats], ...place });
  },
  'zstd.tif': () => writeTiff({ images: [{ ...image, isZstd: true }], ...place }),
  'ycbcr.tif': () =>
    writeTiff({
      images: [
        {
          ...image,
          photometric: 6,
          packed: { compression: 1, block: Buffer.alloc((side * side * 3) / 2, 90) },
        },
      ],
      ...place,
    }),
  'plain.jp2': async () => jp2Of(await codestreamOf({ ...image, bands: 3, tile: 16 }), { place }),
  'bare.j2k': async () => codestreamOf({ ...image, bands: 3, tile: 16 }),
  'photo.jpg': () => encoded('jpeg'),
  'photo.png': () => encoded('png'),
  'photo.webp': () => encoded('webp'),
};

/** Opens a sheet and reads all its pixels, as jobs do. @returns the failure; undefined: it was read */
async function readSheet(
  name: string,
  bytes: Uint8Array,
  sidecar: Uint8Array,
  ending = 'wld',
): Promise<JobFailure | undefined> {
  const file = await tests.put(name, bytes);
  const { path } = await tests.put(`${name}.${ending}`, sidecar);
  const isPlaced = /\.(?:tif|jp2)$/.test(name);
  const input: JobInput = { ...file, ...(!isPlaced && { crs: 'EPSG:25832', related: { [ending]: path } }) };
  const options = { strict: true, bands: undefined, mask: readMask({}), sheetBytes: 1 << 24 };
  try {
    const sheets = await findMosaicSheets([input], options, testContext({ inputs: [input] }));
    const reader = openSheetReader(sheets, await requireImageCodec(), 1 << 24);
    try {
      const { width, height } = sheets[0]!;
      await reader.readSamples(0, {
        column: 0,
        row: 0,
        width: Math.min(width, 64),
        height: Math.min(height, 64),
      });
    } finally {
      await reader.close();
    }
    return undefined;
  } catch (error) {
    assert.ok(
      error instanceof JobFailure,
      `${name}: ${error instanceof Error ? error.stack : String(error)}`,
    );
    assert.ok(error.message.includes(name), `the failure names the sheet: ${error.message}`);
    return error;
  }
}

/** Of each file. CI makes 200, `npm run torture` more. */
const copies = 2 * Number(process.env['PLATEN_MUTANTS'] ?? 40);

for (const [name, make] of Object.entries(files))
  test(`${copies} damaged copies of ${name} are read, or refused by name with a reason`, async (t) => {
    const bytes = await make();
    assert.equal(await readSheet(name, bytes, world), undefined);
    let refused = 0;
    for (let seed = 0; seed < copies; seed++)
      if (await readSheet(name, mutate(bytes, seed), world)) refused++;
    t.diagnostic(`${refused} of ${copies} are refused`);
    assert.ok(refused > 0 && refused < copies, `${refused}`);
  });

const sidecars = {
  wld: world,
  'aux.xml':
    Buffer.from(`<PAMDataset><SRS>EPSG:25832</SRS><GeoTransform>500000, 2, 0, 5500000, 0, -2</GeoTransform>
<PAMRasterBand band="1"><CategoryNames><Category>water</Category><Category>wood</Category></CategoryNames></PAMRasterBand></PAMDataset>`),
};
for (const [ending, content] of Object.entries(sidecars))
  test(`${copies} damaged files of place (.${ending}) place the image or are refused by name`, async () => {
    const bytes = await encoded('png');
    assert.equal(await readSheet('place.png', bytes, content, ending), undefined);
    for (let seed = 0; seed < copies; seed++)
      await readSheet('place.png', bytes, mutate(content, seed), ending);
  });

test('TIFFs that lie of their size are refused by name before memory is taken', async () => {
  const lies: readonly Partial<WrittenImage>[] = [
    { more: { 256: [65_535], 257: [65_535], 322: [16], 323: [16] } },
    { more: { 322: [60_000], 323: [60_000] } },
    { more: { 277: [60_000] } },
  ];
  for (const [i, lie] of lies.entries()) {
    const { more = {}, ...size } = lie;
    const bytes = writeTiff({
      images: [{ ...image, tile: side, packed: { compression: 7, block: Buffer.alloc(99) }, ...size, more }],
      ...place,
    });
    assert.ok(await readSheet(`lie-${i}.tif`, bytes, world), `lie ${i}`);
  }
});
