import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysOf } from '@platen/formats/geotiff/testing';
import { afterFile } from '../../checks/clean-up.ts';
import { longestAbort } from '../testing-abort.ts';
import { openRasterTests } from './testing.ts';

const tests = await openRasterTests();
afterFile(tests.remove);

for (const use of ['viewer', 'analysis'] as const) {
  test(`a conversion for ${use} has ended two seconds after an abort, whenever that comes`, async (t) => {
    const image = {
      width: 1000,
      height: 700,
      bands: 3,
      photometric: 2,
      sample: (x: number, y: number, band: number) => (x * y + band * 50) & 255,
    };
    const place = { keys: keysOf(25_832), scale: [1, 1], tie: [0, 0, 0, 500_000, 5_500_000, 0] } as const;
    const input = await tests.put(`${use}.tif`, { images: [image], ...place });
    const options = { for: use, image: { format: 'webp', resampling: 'lanczos' } } as const;
    const { seconds, aborts } = await longestAbort((signal) => tests.run([input], options, { signal }));
    t.diagnostic(`${aborts} aborts, at most ${seconds.toFixed(2)} s`);
    assert.ok(aborts > 0 && seconds <= 2, `${seconds} s`);
  });
}
