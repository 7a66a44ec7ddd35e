import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFile } from '@platen/formats/bytes/open-file';
import { findCrs } from '@platen/formats/crs/find-crs';
import { decodeChunk } from '@platen/formats/las/decode/decode-chunk';
import { openLas } from '@platen/formats/las/open-las';
import { keysRecord, writeLas } from '@platen/formats/las/testing';
import { geocentricOf } from '@platen/geo/geodesy/geocentric';
import { transformPosition } from '@platen/geo/geodesy/matrix';
import { afterFile } from '../../checks/clean-up.ts';
import { JobFailure } from '../job-type.ts';
import { openPointTests, readTileset } from './testing.ts';
import { littleMemory, noise, small, town, utm } from './testing-town.ts';

const tests = await openPointTests();
afterFile(() => tests.remove());

const failureOf = async (run: Promise<unknown>): Promise<JobFailure> => {
  try {
    await run;
  } catch (error) {
    if (error instanceof JobFailure) return error;
    throw error;
  }
  assert.fail('it did not fail');
};

test('what cannot be used is a failure that says what to do', async () => {
  const points = town(100);
  const without = await tests.put('without.las', writeLas({ points }));
  assert.equal((await failureOf(tests.run([without]))).code, 'unknownCrs');
  const empty = await tests.put('empty.las', writeLas({ points: [], records: [utm] }));
  assert.match((await failureOf(tests.run([empty]))).message, /contains no points/);
  const other = await tests.put('other.txt', Buffer.from('No points here.'));
  assert.equal((await failureOf(tests.run([other]))).code, 'notRecognised');
  const plain = await tests.put('plain.las', writeLas({ points, records: [utm] }));
  const none = await failureOf(tests.run([plain], { modelOptions: { classes: [9] } }));
  assert.equal(none.code, 'nothingUsable');
  assert.equal(
    (await failureOf(tests.run([plain], { heights: { vertical: '25832' } }))).code,
    'invalidOption',
  );
});

test('a broken sheet among others is left out and named, and fails where the task is strict', async () => {
  const points = town(3000);
  const whole = writeLas({ pointFormat: 2, points, records: [utm] });
  const good = await tests.put('good.las', whole);
  const bad = await tests.put('bad.las', whole.subarray(0, 200));
  const cut = await tests.put('cut.las', whole.subarray(0, whole.length / 2));
  const { result, warnings } = await tests.run([good, bad, cut], {
    ...small,
    processing: { duplicates: 'keep' },
  });
  assert.deepEqual(warnings.map(({ code }) => code).toSorted(), ['cutSheet', 'unreadableSheet']);
  assert.ok((result.datasource!.properties['pointCount'] as number) > 4000);
  assert.equal(
    (await failureOf(tests.run([good, bad], { processing: { strict: true } }))).code,
    'brokenFile',
  );
});

test('points far from where the header says are set aside and counted', async () => {
  const las = writeLas({ pointFormat: 2, points: town(2000), records: [utm] });
  // the first point, a thousand kilometres to the east
  las.writeInt32LE(100_000_000, las.readUInt32LE(96));
  const { result, warnings } = await tests.run([await tests.put('far.las', las)], small);
  assert.deepEqual(
    [result.datasource!.properties['pointCount'], result.datasource!.properties['outside']],
    [1999, 1],
  );
  assert.deepEqual(
    warnings.map(({ code, times }) => [code, times]),
    [['pointsOutside', 1]],
  );
});

test('feet of the horizontal coordinates are feet of the heights, too', async () => {
  // NAD83 / Oregon North (ft): a point of the Autzen stadium's survey
  const feet = keysRecord([
    [1024, 0, 1, 1],
    [3072, 0, 1, 2994],
  ]);
  const points = Array.from({ length: 50 }, (_, i) => ({ x: 636_000 + i, y: 849_000, z: 400 + i }));
  const file = await tests.put('feet.las', writeLas({ points, records: [feet] }));
  const { transform, tiles } = await readTileset(await tests.run([file], small));
  const lonLat = Float64Array.of(636_000, 849_000);
  findCrs('EPSG:2994').toLonLat(lonLat, 1);
  const expected = geocentricOf(lonLat[0]!, lonLat[1]!, 400 * (1200 / 3937));
  const { places } = tiles[0]!;
  const distances = Array.from({ length: 50 }, (_, i) => {
    const at = transformPosition(transform, [places[i * 3]!, places[i * 3 + 1]!, places[i * 3 + 2]!]);
    return Math.hypot(...at.map((value, axis) => value - expected[axis]!));
  });
  assert.ok(Math.min(...distances) < 0.02, String(Math.min(...distances)));
});

test('geocentric coordinates are taken as they are, unless they are not on the surface of the earth', async () => {
  const geocentric = keysRecord([[1024, 0, 1, 3]]);
  const [x, y, z] = geocentricOf(11, 48, 500).map(Math.round) as [number, number, number];
  const points = Array.from({ length: 30 }, (_, i) => ({ x: x + i, y: y - i, z: z + (i % 3) }));
  const file = await tests.put('centre.las', writeLas({ points, records: [geocentric] }));
  const run = await tests.run([file]);
  const { transform, tiles } = await readTileset(run);
  const { places } = tiles[0]!;
  const found = Array.from({ length: 30 }, (_, i) =>
    transformPosition(transform, [places[i * 3]!, places[i * 3 + 1]!, places[i * 3 + 2]!]),
  );
  for (const point of points)
    assert.ok(found.some((at) => Math.hypot(at[0] - point.x, at[1] - point.y, at[2] - point.z) < 0.01));
  const [west, south] = run.result.datasource!.bbox!;
  assert.ok(Math.abs(west - 11) < 0.01 && Math.abs(south - 48) < 0.01);
  const local = points.map((point) => ({ x: point.x - x + 500_000, y: point.y, z: point.z }));
  const wrong = await tests.put('wrong.las', writeLas({ points: local, records: [geocentric] }));
  assert.equal((await failureOf(tests.run([wrong]))).code, 'invalidCoordinates');
});

const sample = join(
  process.env['PLATEN_SAMPLE_DATA'] ?? join(import.meta.dirname, '../../../shared/data'),
  'points/lone-star.laz',
);
const skip = existsSync(sample) ? false : `SKIPPED: ${sample} is not there`;

test('LAZ and LAS of one cloud give the same bytes', { skip }, async () => {
  const packed = readFileSync(sample);
  const file = await openFile(sample);
  const { header, parts } = await openLas(file);
  const chunks: Uint8Array[] = [];
  for (const { offset, length, points } of parts)
    chunks.push(decodeChunk(await file.read(offset, length), header, points));
  await file.close();
  const head = Buffer.from(packed.subarray(0, header.pointOffset));
  head.writeUInt8(header.pointFormat, 104);
  const crs = 'EPSG:26912';
  const inputs = await Promise.all([
    tests.put('star.laz', packed, crs),
    tests.put('star.las', Buffer.concat([head, ...chunks]), crs),
  ]);
  const [laz, las] = await Promise.all(inputs.map((input) => tests.run([input])));
  assert.equal(laz!.result.datasource!.properties['pointCount'], 518_862);
  const [one, other] = [laz!, las!].map(({ outputFolder }) =>
    readFileSync(join(outputFolder, 'tileset.3tz')),
  );
  assert.ok(one!.equals(other!));
});

test('a bucket with more points than expected is divided, and gives the same tiles', async () => {
  const random = noise(7);
  // nearly all in a corner of the box that the header gives
  const points = Array.from({ length: 330_000 }, (_, i) => ({
    x: 600_000 + (i === 0 ? 900 : Math.round(random() * 3000) / 100),
    y: 5_500_000 + (i === 0 ? 900 : Math.round(random() * 3000) / 100),
    z: Math.round(random() * 100) / 100,
  }));
  const file = await tests.put('corner.las', writeLas({ points, records: [utm] }));
  const [little, much] = await Promise.all([
    tests.run([file], { ...small, processing: { workers: 2 } }, littleMemory),
    tests.run([file], { ...small, processing: { memoryMegabytes: 4096, workers: 1 } }),
  ]);
  const [one, other] = [little, much].map(({ outputFolder }) =>
    readFileSync(join(outputFolder, 'tileset.3tz')),
  );
  assert.ok(one!.equals(other!));
});

test('resumes where it was killed, with the same bytes', async () => {
  const file = await tests.put(
    'town.las',
    writeLas({ pointFormat: 2, points: town(150_000), records: [utm] }),
  );
  // so many tiles that an abort arrives while they are written
  const options = { ...small, tiling: { pointsPerTile: 1000 }, processing: { workers: 1 } };
  const whole = await tests.run([file], options);
  for (const phase of ['read', 'make', 'combine', 'write']) {
    const scratchFolder = join(tests.folder, `killed-${phase}`);
    const controller = new AbortController();
    const killed = tests.run([file], options, {
      ...littleMemory,
      scratchFolder,
      keepsScratch: true,
      signal: controller.signal,
      progress: (name, done) => name === phase && done > 0 && controller.abort(new Error('killed')),
    });
    await assert.rejects(killed, /killed/);
    const resumed = await tests.run([file], options, { ...littleMemory, scratchFolder });
    assert.ok(
      readFileSync(join(resumed.outputFolder, 'tileset.3tz')).equals(
        readFileSync(join(whole.outputFolder, 'tileset.3tz')),
      ),
      phase,
    );
  }
});
