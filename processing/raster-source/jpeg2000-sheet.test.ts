import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysOf } from '@platen/formats/geotiff/testing';
import { codestreamOf, jp2Of } from '@platen/formats/jpeg2000/testing';
import { afterFile } from '../../checks/clean-up.ts';
import { readAround } from './testing-mosaic.ts';
import { openSheetTests } from './testing.ts';

const tests = await openSheetTests(() => Promise.reject(new Error('Sheets are read without a job.')));
afterFile(tests.remove);

const place = { keys: keysOf(25_832), scale: [2, 2], tie: [0, 0, 0, 500_000, 5_500_000, 0] } as const;
const image = {
  width: 200,
  height: 200,
  bands: 3,
  sample: (x: number, y: number, band: number) => (x + y + band * 40) & 255,
};

test('JPEG 2000 in tiles, and bare with a world file, gives the pixels of the same GeoTIFF', async () => {
  const wanted = await readAround(
    [await tests.put('a.tif', { images: [{ ...image, photometric: 2 }], ...place })],
    {
      side: 512,
    },
  );
  const codestream = await codestreamOf({ ...image, tile: 64 });
  const jp2 = await tests.put('a.jp2', jp2Of(codestream, { place }));
  const world = await tests.put('b.j2w', Buffer.from('2\n0\n0\n-2\n500001\n5499999\n'));
  const bare = await tests.put('b.j2k', codestream);
  const related = { jkw: world.path };
  for (const input of [jp2, { ...bare, crs: 'EPSG:25832', related }]) {
    const { rgba } = await readAround([input], { side: 512 });
    assert.ok(Buffer.from(rgba).equals(wanted.rgba), input.name);
  }
});
