import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysOf } from '@platen/formats/geotiff/testing';
import { findCrs } from '@platen/formats/crs/find-crs';
import { afterFile } from '../../checks/clean-up.ts';
import { openImageryTests, openTiles } from './testing.ts';

const tests = await openImageryTests();
afterFile(tests.remove);

const side = 300;
const noise = (x: number, y: number, band: number): number =>
  ((x * 7919) ^ (y * 104_729) ^ (band * 31)) & 255;
const image = { width: side, height: side, bands: 3, photometric: 2, sample: noise };
const place = { keys: keysOf(25_832), scale: [2, 2], tie: [0, 0, 0, 500_000, 5_500_000, 0] } as const;
const sheet = await tests.put('noise.tif', { images: [image], ...place });

const colours = new Set<string>();
for (let y = 0; y < side; y++)
  for (let x = 0; x < side; x++) colours.add([0, 1, 2].map((band) => noise(x, y, band)).join());

/** Longitude and latitude of metres from the upper left corner of the sheet. */
function placeOf(right: number, down: number): [number, number] {
  const position = Float64Array.of(500_000 + right, 5_500_000 - down);
  findCrs('EPSG:25832').toLonLat(position, 1);
  return [position[0]!, position[1]!];
}

test('lossless WebP keeps every colour', async () => {
  const shareOfKept = async (lossless: boolean): Promise<number> => {
    const { outputFolder } = await tests.run([sheet], {
      image: { format: 'webp', lossless },
      tiling: { resampling: 'nearest' },
    });
    const tiles = await openTiles(outputFolder);
    let kept = 0;
    for (let i = 0; i < 100; i++) {
      const colour = await tiles.colourAt(16, placeOf(50 + i * 5, 60 + i * 4));
      if (colours.has(colour!.slice(0, 3).join())) kept++;
    }
    return kept / 100;
  };
  assert.equal(await shareOfKept(true), 1);
  assert.ok((await shareOfKept(false)) < 0.1);
});

test('a lower quality makes smaller tiles, and JPEG shows the background around the sheet', async () => {
  const make = async (quality: number) => {
    const image = { format: 'jpeg', quality, background: '#204060' };
    return openTiles((await tests.run([sheet], { image })).outputFolder);
  };
  const [low, high] = [await make(30), await make(85)];
  assert.ok(low.bytes.length < high.bytes.length * 0.7, `${low.bytes.length} and ${high.bytes.length} bytes`);
  const outside = await high.colourAt(16, placeOf(-40, 300));
  const off = [0x20, 0x40, 0x60].map((value, i) => Math.abs(value - outside![i]!));
  assert.ok(Math.max(...off) <= 6, String(outside));
});
