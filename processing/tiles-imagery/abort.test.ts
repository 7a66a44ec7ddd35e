import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysOf } from '@platen/formats/geotiff/testing';
import { afterFile } from '../../checks/clean-up.ts';
import { longestAbort } from '../testing-abort.ts';
import { openImageryTests } from './testing.ts';

const tests = await openImageryTests();
afterFile(tests.remove);

test('a job without threads has ended two seconds after an abort, whenever that comes', async (t) => {
  const image = {
    width: 600,
    height: 600,
    bands: 3,
    photometric: 2,
    sample: (x: number, y: number, band: number) => (x * 7 + y * 3 + band * 50) & 255,
  };
  const place = { keys: keysOf(25_832), scale: [1, 1], tie: [0, 0, 0, 500_000, 5_500_000, 0] } as const;
  const input = await tests.put('photo.tif', { images: [image], ...place });
  const options = { image: { format: 'avif' }, tiling: { resampling: 'lanczos' } } as const;
  const { seconds, aborts } = await longestAbort((signal) => tests.run([input], options, { signal }));
  t.diagnostic(`${aborts} aborts, at most ${seconds.toFixed(2)} s`);
  assert.ok(aborts > 0 && seconds <= 2, `${seconds} s`);
});
