import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeTiff, type WrittenImage, type WrittenTiff } from '@platen/formats/geotiff/testing';
import { afterFile } from '../../checks/clean-up.ts';
import { requireImageCodec } from '../kit/images/image-codec.ts';
import { openMap, openRasterTests } from './testing.ts';

const tests = await openRasterTests();
afterFile(tests.remove);

/** On the pixels of web mercator's zoom 10, so that no pixel is mixed from others; a place at 0, 0 would be doubted. */
const metres = (2 * Math.PI * 6_378_137) / 256 / 2 ** 10;
const corner = 4096 * metres;
const place: Omit<WrittenTiff, 'images'> = {
  keys: [
    [1024, 0, 1, 1],
    [1025, 0, 1, 1],
    [3072, 0, 1, 3857],
  ],
  scale: [metres, metres],
  tie: [0, 0, 0, corner, corner, 0],
};

type Put = readonly [name: string, content: WrittenTiff | Uint8Array];

/** The colours of some pixels of the first file, whose others are inputs beside it. */
async function coloursOf(files: readonly Put[], pixels: readonly (readonly [x: number, y: number])[]) {
  const inputs = await Promise.all(files.map(([name, content]) => tests.put(name, content)));
  const { path, warnings } = await tests.run(inputs, { image: { format: 'webp', quality: 100 } });
  assert.deepEqual(warnings, []);
  const map = await openMap(path);
  // the frame begins at a tile that is at least one pixel before the sheet
  const colours = await Promise.all(pixels.map(([x, y]) => map.pixel(x + 256, y + 256)));
  await map.close();
  return colours;
}

function areNear(actual: readonly number[][], wanted: readonly (readonly number[])[], tolerance = 3): void {
  for (const [i, colour] of wanted.entries())
    for (const [band, value] of colour.entries()) {
      const found = actual[i]![band]!;
      assert.ok(Math.abs(found - value) <= tolerance, `${actual[i]?.join()} instead of ${colour.join()}`);
    }
}

const flat = (colour: readonly number[], more: Partial<WrittenImage>): WrittenImage => ({
  width: 64,
  height: 64,
  bands: colour.length,
  sample: (_x, _y, band) => colour[band]!,
  ...more,
});

test('CIELab is shown in its colours', async () => {
  // Lab of sRGB's red for D50, of white and of a mid grey
  const labs: readonly (readonly number[])[] = [
    [138, 81, 70],
    [255, 0, 0],
    [137, 0, 0],
  ];
  const sample: WrittenImage['sample'] = (x, _y, band) => labs[Math.floor(x / 22)]![band]!;
  const lab = flat([0, 0, 0], { photometric: 8, sample });
  const colours = await coloursOf(
    [['lab.tif', { images: [lab], ...place }]],
    [
      [10, 10],
      [33, 10],
      [55, 10],
    ],
  );
  areNear(colours, [
    [254, 0, 0, 255],
    [255, 255, 255, 255],
    [128, 128, 128, 255],
  ]);
});

test('two bits go from black to white, four bits of a palette have its colours', async () => {
  const sample: WrittenImage['sample'] = (x) => Math.floor(x / 16);
  const pixels = [
    [8, 8],
    [24, 8],
    [40, 8],
    [56, 8],
  ] as const;
  const quarters = flat([0], { bits: 2, sample });
  const greys = [0, 85, 170, 255].map((grey) => [grey, grey, grey, 255]);
  areNear(await coloursOf([['two.tif', { images: [quarters], ...place }]], pixels), greys);
  const palette = [0, 1, 2].flatMap((band) =>
    Array.from({ length: 16 }, (_, i) => (i * 50 + band * 7) * 257),
  );
  const classes = flat([0], { bits: 4, photometric: 3, sample, more: { 320: palette } });
  const wanted = [0, 1, 2, 3].map((i) => [i * 50, i * 50 + 7, i * 50 + 14, 255]);
  areNear(await coloursOf([['four.tif', { images: [classes], ...place }]], pixels), wanted);
});

test('a mask in a file of its own hides pixels, of a TIFF and of a PNG', async () => {
  const mask: WrittenTiff = { images: [flat([0], { sample: (x) => (x < 32 ? 255 : 0) })] };
  const pixels = [
    [10, 10],
    [50, 10],
  ] as const;
  const image: WrittenTiff = { images: [flat([10, 200, 90], { photometric: 2 })], ...place };
  const [shown, hidden] = await coloursOf(
    [
      ['masked.tif', image],
      ['masked.tif.msk', mask],
    ],
    pixels,
  );
  areNear([shown!], [[10, 200, 90, 255]]);
  assert.equal(hidden![3], 0);
  const samples = Uint8Array.from({ length: 64 * 64 * 3 }, (_, i) => [10, 200, 90][i % 3]!);
  const codec = await requireImageCodec();
  const png = await codec.encode({ width: 64, height: 64, bands: 3, samples }, { format: 'png' });
  const world = [metres, 0, 0, -metres, corner + metres / 2, corner - metres / 2].join('\n');
  const sidecars: readonly Put[] = [
    ['photo.png', png],
    ['photo.pgw', Buffer.from(world)],
    ['photo.prj', Buffer.from('EPSG:3857')],
    ['photo.png.msk', mask],
  ];
  const [seen, unseen] = await coloursOf(sidecars, pixels);
  areNear([seen!], [[10, 200, 90, 255]]);
  assert.equal(unseen![3], 0);
});

test('a mask of another size is refused with what mends it', async () => {
  const image = await tests.put('own.tif', { images: [flat([1, 2, 3], { photometric: 2 })], ...place });
  const mask = await tests.put('own.tif.msk', writeTiff({ images: [flat([255], { width: 32 })] }));
  await assert.rejects(tests.run([image, mask]), /own\.tif\.msk\) is not of the same size.*gdal_translate/);
});
