import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFile } from '@platen/formats/bytes/open-file';
import { writeE57 } from '@platen/formats/e57/testing';
import { writeLas } from '@platen/formats/las/testing';
import { gardenPoints, readGardenCopc, writeGarden } from '@platen/formats/las/testing-copc';
import { writePly } from '@platen/formats/points/testing';
import { openZip } from '@platen/formats/zip/open-zip';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { localFrameAt, toLocal } from '@platen/geo/geodesy/local-frame';
import { transformPosition } from '@platen/geo/geodesy/matrix';
import { afterFile } from '../../checks/clean-up.ts';
import { JobFailure } from '../job-type.ts';
import { openPointTests, readTileset, type PointRun } from './testing.ts';
import { small, town, utm } from './testing-town.ts';

const tests = await openPointTests();
afterFile(() => tests.remove());

const crs = 'EPSG:25832';
const archiveOf = ({ outputFolder, result }: PointRun): Buffer =>
  readFileSync(join(outputFolder, result.datasource!.path));

/** The same points in each format. */
function written(points: ReturnType<typeof town>): Readonly<Record<string, Buffer>> {
  const rows = points.map(({ x, y, z, intensity, classification, colour }) => ({
    x,
    y,
    z,
    intensity: intensity!,
    classification: classification!,
    red: colour![0],
    green: colour![1],
    blue: colour![2],
  }));
  const columns = ['x', 'y', 'z', 'intensity', 'red', 'green', 'blue', 'classification'] as const;
  const lines = rows.map((row) => columns.map((column) => row[column]).join(' '));
  const limits = { intensity: 65_535, classification: 255, red: 255, green: 255, blue: 255 } as const;
  const fields = columns.map((name) => {
    const values = rows.map((row) => row[name]);
    const field = { intensity: 'intensity', classification: 'classification' }[name as 'intensity'];
    const colour = { red: 'colorRed', green: 'colorGreen', blue: 'colorBlue' }[name as 'red'];
    if (name === 'x' || name === 'y' || name === 'z')
      return { name: `cartesian${name.toUpperCase()}`, type: 'double' as const, values };
    return { name: field ?? colour, type: 'integer' as const, minimum: 0, maximum: limits[name], values };
  });
  return {
    'a.las': writeLas({ pointFormat: 2, points, records: [utm] }),
    'a.xyz': Buffer.from([columns.join(' '), ...lines].join('\n')),
    'a.csv': Buffer.from(
      [columns, ...lines.map((line) => line.replaceAll('.', ',').split(' '))]
        .map((row) => row.join(';'))
        .join('\n'),
    ),
    'a.ply': writePly('binary_big_endian', rows),
    'b.ply': writePly('ascii', rows),
    'a.e57': writeE57({ scans: [{ fields }], crs }),
  };
}

test('one cloud gives the same bytes in each format, and in all of them without its duplicates', async () => {
  const files = Object.entries(written(town(9000)));
  const inputs = await Promise.all(files.map(([name, content]) => tests.put(name, content, crs)));
  const first = archiveOf(await tests.run([inputs[0]!], small));
  for (const input of inputs.slice(1))
    assert.ok(archiveOf(await tests.run([input], small)).equals(first), input.name);
  const zip = await tests.put('all.zip', zipOfFiles(Object.fromEntries(files)), crs);
  const all = await tests.run([zip], { ...small, processing: { workers: 2 } });
  const { duplicates, pointCount } = all.result.datasource!.properties as Record<string, number>;
  assert.deepEqual([duplicates, pointCount], [45_000, 9000]);
});

test('a COPC gives the same bytes as the LAS that it was made from', async () => {
  const runs = [];
  for (const [name, content] of [
    ['garden.las', writeGarden()],
    ['garden.copc.laz', await readGardenCopc()],
  ] as const)
    runs.push(await tests.run([await tests.put(name, content)], small));
  const [las, copc] = runs as [PointRun, PointRun];
  assert.equal(copc.result.datasource!.properties['pointCount'], gardenPoints);
  assert.ok(archiveOf(copc).equals(archiveOf(las)));
});

/** The places of all points on Earth. */
async function placesOf(run: PointRun): Promise<readonly (readonly number[])[]> {
  const { transform, tiles } = await readTileset(run);
  return tiles.flatMap(({ places }) =>
    Array.from({ length: places.length / 3 }, (_, i) =>
      transformPosition(transform, [places[i * 3]!, places[i * 3 + 1]!, places[i * 3 + 2]!]),
    ),
  );
}

const local = Buffer.from('10 0 0 1\n0 10 0 2\n0 0 10 3\n');

test('a scan without a coordinate system stands where placement says', async () => {
  const file = await tests.put('scan.xyz', local);
  const run = await tests.run([file], {
    ...small,
    modelOptions: { placement: { longitude: 11, latitude: 48, height: 500, heading: 90, scale: 2 } },
  });
  const frame = localFrameAt(11, 48, 500);
  const found = (await placesOf(run))
    .map(([x, y, z]) => toLocal(frame, [x!, y!, z!]).map((value) => Number(value.toFixed(2)) + 0))
    .toSorted((a, b) => a[2]! - b[2]! || a[0]! - b[0]!);
  // the y axis points east, so that x points south
  assert.deepEqual(found, [
    [0, -20, 0],
    [20, 0, 0],
    [0, 0, 20],
  ]);
});

test('the axis that points up, and an offset in a coordinate system, place a scan, too', async () => {
  const file = await tests.put('scan.xyz', local);
  const placement = { crs, offset: [500_000, 5_400_000, 100], upAxis: 'y' };
  const places = await placesOf(await tests.run([file], { ...small, modelOptions: { placement } }));
  const expected = await placesOf(
    await tests.run(
      [
        await tests.put(
          'utm.xyz',
          Buffer.from('500010 5400000 100\n500000 5400000 110\n500000 5399990 100\n'),
          crs,
        ),
      ],
      small,
    ),
  );
  for (const [x, y, z] of expected)
    assert.ok(places.some((at) => Math.hypot(at[0]! - x!, at[1]! - y!, at[2]! - z!) < 0.01));
});

const failureOf = async (run: Promise<unknown>): Promise<JobFailure> => {
  try {
    await run;
  } catch (error) {
    if (error instanceof JobFailure) return error;
    throw error;
  }
  assert.fail('it did not fail');
};

test('a scan without a place is refused with what to set, and so are options that contradict each other', async () => {
  const file = await tests.put('scan.xyz', local);
  const unplaced = await failureOf(tests.run([file], small));
  assert.deepEqual([unplaced.code, /placement/.test(unplaced.message)], ['unknownCrs', true]);
  for (const placement of [{ longitude: 11 }, { crs, longitude: 11, latitude: 48 }])
    assert.equal(
      (await failureOf(tests.run([file], { ...small, modelOptions: { placement } }))).code,
      'invalidOption',
    );
  const columns = await failureOf(
    tests.run([file], { ...small, modelOptions: { columns: ['x', 'y', 'skip'] } }),
  );
  assert.match(columns.message, /modelOptions\/columns/);
});

test('columns say what a text holds, and rows that are no points are counted', async () => {
  const rows = Array.from({ length: 50 }, (_, i) => `${100 + i} ${5_400_000 + i} ${500_000 + i} 6`);
  const file = await tests.put('odd.txt', Buffer.from([...rows, 'nowhere 1 2 3'].join('\n')), crs);
  const run = await tests.run([file], {
    ...small,
    modelOptions: { columns: ['z', 'y', 'x', 'classification'], attributes: ['classification'] },
  });
  assert.equal(run.result.datasource!.properties['pointCount'], 50);
  assert.deepEqual(
    run.warnings.map(({ code, times }) => [code, times]),
    [['unreadableRows', 1]],
  );
  const { tiles } = await readTileset(run);
  assert.ok(Array.from(tiles[0]!.properties['CLASSIFICATION']!).every((kind) => kind === 6));
});

test('tiles are the same however the archive packs them', async () => {
  const points = town(8000);
  const file = await tests.put('town.las', writeLas({ pointFormat: 2, points, records: [utm] }));
  const found = [];
  for (const packing of ['zstd', 'deflate']) {
    const run = await tests.run([file], { ...small, output: { packing } });
    const archive = await openFile(join(run.outputFolder, run.result.datasource!.path));
    const tileset = await readTileset(run);
    const member = await (await openZip(archive)).find(tileset.tiles[0]!.uri);
    assert.equal(member!.packing, packing);
    await archive.close();
    found.push(tileset);
  }
  assert.deepEqual(found[1], found[0]);
});
