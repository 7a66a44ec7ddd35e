import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { keysOf } from '@platen/formats/geotiff/testing';
import { afterFile } from '../../checks/clean-up.ts';
import { openImageryTests, openTiles } from './testing.ts';
import { tilesImageryType } from './type.ts';

/** An update copies tiles that another run of the same version has made. */
const golden = { version: 9, pixels: '4a8b7372b9392538bf52cb045671c782b6eaec309ba6f1d2299131f92c09df07' };

const tests = await openImageryTests();
afterFile(tests.remove);

test('tiles are those of their version: where pixels change, the version has to', async () => {
  const input = await tests.put('golden.tif', {
    images: [
      {
        width: 400,
        height: 300,
        bands: 3,
        photometric: 2,
        bits: 16,
        sample: (x, y, band) => (x * 150 + y * y + band * 9000) % 50_000,
      },
    ],
    keys: keysOf(25_832),
    scale: [2, 2],
    tie: [0, 0, 0, 500_000, 5_500_000, 0],
  });
  const { outputFolder } = await tests.run([input], {
    image: { format: 'png' },
    tiling: { resampling: 'lanczos' },
    colour: { gamma: 1.5 },
  });
  const tiles = await openTiles(outputFolder);
  const hash = createHash('sha256');
  let count = 0;
  const [lon, lat] = [9.006, 49.65];
  for (let z = 0; z <= 16; z++) {
    const across = Math.floor(((lon + 180) / 360) * 2 ** z);
    const down = Math.floor((0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * 2 ** z);
    for (let x = across - 2; x <= across + 2; x++)
      for (let y = down - 2; y <= down + 2; y++) {
        const pixels = await tiles.samplesAt(z, x, y);
        if (!pixels) continue;
        hash.update(`${z}/${x}/${y}`).update(Uint8Array.from(pixels));
        count++;
      }
  }
  assert.ok(count > 20, `${count} tiles`);
  assert.deepEqual({ version: tilesImageryType.version, pixels: hash.digest('hex') }, golden);
});
