import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeTiff } from '@platen/formats/geotiff/testing';
import { writeLas } from '@platen/formats/las/testing';
import { afterFile } from '../../../checks/clean-up.ts';
import type { JobInput } from '../../job-type.ts';
import { isLikeFull, runUpdate, withContent } from '../../raster-source/testing-updates.ts';
import type { TilesPointcloudOptions } from '../spec.ts';
import { openPointTests } from '../testing.ts';
import { littleMemory, town, utm } from '../testing-town.ts';

const tests = await openPointTests();
afterFile(() => tests.remove());

const [east, north] = [500_000, 5_400_000];

/** A town in a corner of the area, with black points. */
async function sheet(name: string, [column, row]: readonly number[], seed = 1): Promise<JobInput> {
  const points = town(1500, seed, [east + column! * 190, north + row! * 140]);
  for (const point of points) Object.assign(point, { colour: [0, 0, 0] });
  const file = await tests.put(name, writeLas({ pointFormat: 2, points, records: [utm] }));
  return withContent({ ...file, name });
}

/** An image of all but the east. */
async function photo(brightness: number): Promise<JobInput> {
  const image = writeTiff({
    keys: [
      [1024, 0, 1, 1],
      [1025, 0, 1, 1],
      [3072, 0, 1, 25832],
    ],
    scale: [2, 2],
    tie: [0, 0, 0, east - 10, north + 310, 0],
    images: [
      {
        width: 250,
        height: 170,
        bands: 3,
        photometric: 2,
        tile: 64,
        sample: (column, row, band) => Math.min(255, brightness + ((column + row + band * 9) >> 1)),
      },
    ],
  });
  return withContent({ ...(await tests.put('photo.tif', image)), name: 'photo.tif' });
}

const corners = [
  [0, 0],
  [1, 0],
  [2, 0],
  [0, 1],
  [1, 1],
  [2, 1],
] as const;
const sheets = await Promise.all(corners.map((corner, i) => sheet(`${i}.las`, corner)));
const changed = await sheet('5.las', [2, 1], 9);
const tiny = { tiling: { pointsPerTile: 400 }, heights: { vertical: 'ellipsoid' } } as const;

/** Changes a sheet and another input: the former alone is an update, with the bytes of a full run. */
async function updateOf(options: TilesPointcloudOptions, further: JobInput, other: JobInput): Promise<void> {
  const former = await tests.run([...sheets, further], options);
  assert.ok(former.result.manifest !== undefined);
  const next = [...sheets.slice(0, 5), changed, further];
  const full = await tests.run(next, options);
  for (const more of [{}, littleMemory]) {
    const updated = await runUpdate((own) => tests.run(next, options, { ...own, ...more }), former);
    assert.ok(updated.copied['make']! > 5, `${updated.copied['make']} tiles copied`);
    await isLikeFull(updated, full);
  }
  const withOther = [...sheets, other];
  const again = await runUpdate((own) => tests.run(withOther, options, own), former);
  assert.ok(again.logged.some(([, data]) => data?.['reason'] === 'otherInputs'));
  await isLikeFull(again, await tests.run(withOther, options));
}

test('an update colours the points of changed sheets, and copies other tiles with their colours', async () => {
  const options = { ...tiny, processing: { colour: {} } };
  const run = await tests.run([...sheets, await photo(40)], options);
  const { uncoloured, pointCount } = run.result.datasource!.properties as Record<string, number>;
  assert.ok(uncoloured! > 100 && uncoloured! < pointCount! / 2);
  await updateOf(options, await photo(40), await photo(90));
});

test('an update compares the points of changed sheets, and copies other tiles with their distances', async () => {
  const older = async (seed: number): Promise<JobInput> => {
    const points = town(4000, seed, [east, north]).map((point) =>
      Object.assign(point, { x: point.x + 2 * (point.x - east), y: point.y + point.y - north }),
    );
    const file = await tests.put('older.las', writeLas({ pointFormat: 0, points, records: [utm] }));
    return withContent({ ...file, name: 'older.las' });
  };
  const processing = { compareTo: { input: 'older.las', maxMetres: 3 } };
  await updateOf({ ...tiny, processing }, await older(5), await older(6));
});
