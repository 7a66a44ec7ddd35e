import assert from 'node:assert/strict';
import { readFile, truncate } from 'node:fs/promises';
import { test } from 'node:test';
import { keysOf, type WrittenTiff } from '@platen/formats/geotiff/testing';
import { afterFile } from '../../checks/clean-up.ts';
import { openRasterTests } from './testing.ts';

const tests = await openRasterTests();
afterFile(tests.remove);

/** A sheet whose upper left corner is so many metres right and down. */
const sheetAt = (right: number, down: number): WrittenTiff => ({
  images: [
    {
      width: 900,
      height: 700,
      bands: 3,
      photometric: 2,
      // a collar of white around pixels that all differ
      sample: (x, y, band) => (x < 20 || y < 30 ? 255 : (x * (band + 3) + y * 7) & 255),
    },
  ],
  keys: keysOf(25_832),
  scale: [1, 1],
  tie: [0, 0, 0, 500_000 + right, 5_500_000 - down, 0],
});

for (const format of ['jpeg', 'webp'] as const) {
  test(`any number of threads gives the same ${format} of sheets far apart, of which one is damaged`, async () => {
    const whole = await tests.put('whole.tif', sheetAt(0, 0));
    const apart = await tests.put('apart.tif', sheetAt(3500, 3100));
    const damaged = await tests.put('damaged.tif', sheetAt(1500, 600));
    await truncate(damaged.path, damaged.size / 2);
    const mask = { collar: 'white' };
    const runs = await Promise.all(
      [1, 2, 5].map(async (workers) => {
        const options = { image: { format }, mask, processing: { workers } };
        const { path, rejects, warnings } = await tests.run([whole, apart, damaged], options);
        return { bytes: await readFile(path), rejects, warnings };
      }),
    );
    const [inline, ...inThreads] = runs;
    assert.deepEqual(
      inline!.rejects.map(({ file }) => file),
      ['damaged.tif'],
    );
    for (const one of inThreads) assert.deepEqual(one, inline);
  });
}

test('a sheet that is damaged fails a strict job in threads, too', async () => {
  const whole = await tests.put('good.tif', sheetAt(0, 0));
  const damaged = await tests.put('bad.tif', sheetAt(2500, 2100));
  await truncate(damaged.path, damaged.size / 2);
  await assert.rejects(
    tests.run([whole, damaged], { processing: { strict: true, workers: 3 } }),
    /bad\.tif cannot be read/,
  );
});
