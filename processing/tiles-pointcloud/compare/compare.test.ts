import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { writeLas, type WrittenPoint } from '@platen/formats/las/testing';
import { zipOfFiles } from '@platen/formats/zip/testing';
import type { JobInput } from '../../job-type.ts';
import { openScratchFile } from '../../kit/scratch-file.ts';
import { afterFile } from '../../../checks/clean-up.ts';
import { openPointTests, readTileset, type PointRun } from '../testing.ts';
import { littleMemory, small, town, utm } from '../testing-town.ts';
import { measureDistances } from './measure-distances.ts';

const tests = await openPointTests();
afterFile(() => tests.remove());

/** Points that are told apart by their intensities. */
const numbered = (points: WrittenPoint[]) => points.map((point, i) => Object.assign(point, { intensity: i }));
const las = (points: readonly WrittenPoint[]) =>
  writeLas({ minor: 4, pointFormat: 6, points, records: [utm] });
const optionsOf = (compareTo: { input: string; maxMetres?: number }, workers = 1) => ({
  ...small,
  modelOptions: { attributes: ['intensity'] },
  processing: { compareTo, workers },
});

/** The distances of points to the nearest of others, in metres of their coordinates. */
function nearest(points: readonly WrittenPoint[], others: readonly WrittenPoint[], max: number): number[] {
  const cells = new Map<string, WrittenPoint[]>();
  const cellOf = ({ x, y }: WrittenPoint) => [Math.floor(x / max), Math.floor(y / max)] as const;
  for (const other of others) {
    const key = cellOf(other).join(' ');
    cells.set(key, [...(cells.get(key) ?? []), other]);
  }
  return points.map((point) => {
    const [column, row] = cellOf(point);
    let best = max;
    for (let i = column - 1; i <= column + 1; i++)
      for (let j = row - 1; j <= row + 1; j++)
        for (const { x, y, z } of cells.get(`${i} ${j}`) ?? [])
          best = Math.min(best, Math.hypot(x - point.x, y - point.y, z - point.z));
    return best;
  });
}

async function distancesIn(run: PointRun): Promise<Map<number, number>> {
  const { tiles } = await readTileset(run);
  return new Map(
    tiles.flatMap(({ properties }) =>
      Array.from(
        properties['INTENSITY']!,
        (intensity, i) => [intensity, properties['DISTANCE']![i]!] as const,
      ),
    ),
  );
}

const archiveOf = ({ outputFolder, result }: PointRun) =>
  readFileSync(join(outputFolder, result.datasource!.path));

test('each point has its distance to the nearest older one, up to the farthest, and the older ones become no tiles', async () => {
  const points = numbered(town(9000));
  // a part of the town was not there
  const older = town(9000, 7).filter(({ x }) => x < 500_150);
  const inputs = [await tests.put('new.las', las(points)), await tests.put('old.las', las(older))];
  for (const maxMetres of [5, 1]) {
    const run = await tests.run(inputs, optionsOf({ input: inputs[1]!.name, maxMetres }));
    const distances = await distancesIn(run);
    assert.equal(distances.size, points.length);
    const expected = nearest(points, older, maxMetres);
    for (const [i, distance] of expected.entries())
      assert.ok(Math.abs(distances.get(i)! - distance) < 0.005, `${i}: ${distances.get(i)}, not ${distance}`);
    assert.ok(expected.filter((distance) => distance === maxMetres).length > 1000);
    const { pointCount, fields, styles } = run.result.datasource!.properties;
    assert.equal(pointCount, points.length);
    assert.deepEqual(fields, [
      { name: 'INTENSITY', type: 'number' },
      { name: 'DISTANCE', type: 'number' },
    ]);
    assert.equal((styles as { name: string }[])[0]!.name, 'Change');
  }
});

test('neither threads, nor memory, nor the order of inputs change a byte, and the same cloud has no distance', async () => {
  const points = numbered(town(50_000));
  const older = town(120_000, 5);
  const inputs = [await tests.put('new.las', las(points)), await tests.put('old.las', las(older))];
  const compareTo = { input: inputs[1]!.name };
  const first = await tests.run(inputs, optionsOf(compareTo, 1));
  for (const [workers, more] of [
    [2, littleMemory],
    [3, {}],
  ] as const) {
    const other = await tests.run(inputs.toReversed(), optionsOf(compareTo, workers), more);
    assert.ok(archiveOf(other).equals(archiveOf(first)));
  }
  const copy = await tests.put('copy.las', las(points));
  const same = await distancesIn(await tests.run([inputs[0]!, copy], optionsOf({ input: copy.name })));
  assert.ok([...same.values()].every((distance) => distance === 0));
});

test('the older cloud may have another format, classes and heights, and many files', async () => {
  const points = numbered(town(3000));
  const rows = points.map(({ x, y, z }) => `${x} ${y} ${(z + 0.5).toFixed(2)}`).join('\n');
  const inputs = [
    await tests.put('new.las', las(points)),
    await tests.put('old.xyz', Buffer.from(rows), 'EPSG:25832'),
  ];
  const run = await tests.run(inputs, {
    ...optionsOf({ input: inputs[1]!.name }),
    modelOptions: { attributes: ['intensity'], classes: [2] },
  });
  const distances = await distancesIn(run);
  const ground = points.filter(({ classification }) => classification === 2);
  assert.equal(distances.size, ground.length);
  assert.ok([...distances.values()].every((distance) => distance < 0.51));
  assert.equal(run.result.datasource!.properties['filtered'], points.length - ground.length);
});

test('the older cloud may be the datasource of an earlier job, as archive or folder, in either encoding and another frame', async () => {
  const points = numbered(town(6000));
  // a part of the town was not there; a sheet far away moves the frame to another degree
  const older = town(20_000, 7).filter(({ x }) => x < 500_150);
  const far = await tests.put('far.las', las(town(100, 3, [700_000, 5_400_000])));
  const former = [await tests.put('old.las', las(older)), far];
  const expected = nearest(points, older, 5);
  const cloud = await tests.put('new.las', las(points));
  const archives: Buffer[] = [];
  for (const output of [
    { encoding: 'pnts', format: '3tz' },
    { encoding: 'glb', format: 'folder' },
    { encoding: 'glb', format: '3tz', packing: 'deflate' },
  ]) {
    const { outputFolder, result } = await tests.run(former, { ...small, output });
    const path = join(outputFolder, result.datasource!.path);
    const inputs = [cloud, { path, name: 'last year', size: (await stat(path)).size }];
    const run = await tests.run(inputs, optionsOf({ input: 'last year' }, archives.length === 0 ? 1 : 2));
    const distances = await distancesIn(run);
    assert.equal(distances.size, points.length);
    for (const [i, distance] of expected.entries())
      assert.ok(Math.abs(distances.get(i)! - distance) < 0.01, `${i}: ${distances.get(i)}, not ${distance}`);
    archives.push(archiveOf(run));
  }
  assert.ok(archives[2]!.equals(archives[1]!), 'glb says the same in a folder and in an archive');
});

test('a tileset that is damaged or has no points is refused as older cloud, and any as a cloud to make', async () => {
  const cloud = await tests.put('new.las', las(town(100)));
  const { outputFolder, result } = await tests.run([cloud], small);
  const whole = archiveOf({ outputFolder, result, warnings: [] });
  const older = async (content: Uint8Array) => tests.put('old.3tz', content);
  const compareWith = async (input: JobInput) => tests.run([cloud, input], optionsOf({ input: input.name }));
  await assert.rejects(
    compareWith(await older(whole.subarray(0, whole.length / 2))),
    /old\.3tz cannot be read: .*it is incomplete/,
  );
  const meshes = JSON.stringify({
    asset: { version: '1.0' },
    geometricError: 1,
    root: {
      boundingVolume: { box: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
      geometricError: 0,
      content: { uri: 'a.b3dm' },
    },
  });
  const ofMeshes = await older(zipOfFiles({ 'tileset.json': meshes, 'a.b3dm': 'b3dm' }));
  await assert.rejects(compareWith(ofMeshes), /it is no tile of points/);
  const empty = await older(zipOfFiles({ 'tileset.json': meshes }));
  await assert.rejects(compareWith(empty), /a\.b3dm is missing/);
  await assert.rejects(
    tests.run([await older(whole)], small),
    /old\.3tz is a tileset\. Point clouds can be compared with it/,
  );
});

test('an older cloud elsewhere, or none of that name, is refused', async () => {
  const inputs = [
    await tests.put('new.las', las(town(100))),
    await tests.put('far.las', las(town(100, 2, [560_000, 5_400_000]))),
  ];
  await assert.rejects(
    tests.run(inputs, optionsOf({ input: inputs[1]!.name })),
    /lies elsewhere than the others/,
  );
  await assert.rejects(
    tests.run(inputs, optionsOf({ input: 'old.las' })),
    /there is no input “old\.las”, but/,
  );
  const twice = inputs.map((input) => Object.assign(input, { name: 'new.las' }));
  await assert.rejects(tests.run(twice, optionsOf({ input: 'new.las' })), /2 inputs are named “new\.las”/);
});

test('how many older points are held at a time makes no difference', () => {
  const place = fc.tuple(fc.nat(20_000), fc.nat(20_000), fc.nat(3000));
  let files = 0;
  fc.assert(
    fc.property(
      fc.array(place, { minLength: 1, maxLength: 60 }),
      fc.array(place, { maxLength: 200 }),
      (points, older) => {
        const file = openScratchFile(join(tests.folder, `older-${files++}`));
        file.append(new Uint8Array(Uint32Array.from(older.flat()).buffer));
        file.flush();
        const ranges = [{ path: file.path, start: 0, end: file.length }];
        const columns = [0, 1, 2].map((axis) =>
          Uint32Array.from(points, (point) => point[axis as 0 | 1 | 2]),
        );
        const measured = [1, 7, 1000].map((maxPoints) => {
          const column = new Uint32Array(points.length);
          measureDistances({ columns, count: points.length }, column, { ranges, maxPoints, maxMetres: 5 });
          return Array.from(new Float32Array(column.buffer));
        });
        file.close();
        const expected = points.map(([x, y, z]) =>
          Math.fround(
            Math.min(5, ...older.map((one) => Math.hypot(one[0] - x, one[1] - y, one[2] - z) / 1024)),
          ),
        );
        for (const distances of measured)
          for (const [i, distance] of distances.entries())
            assert.ok(Math.abs(distance - expected[i]!) < 1e-5);
        assert.deepEqual(measured[1], measured[0]);
        assert.deepEqual(measured[2], measured[0]);
      },
    ),
    { numRuns: 40 },
  );
});
