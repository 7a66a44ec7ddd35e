import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeLas } from '@platen/formats/las/testing';
import { afterFile } from '../../checks/clean-up.ts';
import { openPointTests, readTileset } from './testing.ts';
import { small, utm } from './testing-town.ts';

const tests = await openPointTests();
afterFile(() => tests.remove());

/** A slope without colours, classes and intensities. */
const slope = Array.from({ length: 400 }, (_, i) => ({ x: 500_000 + i, y: 5_400_000, z: 100 + i / 10 }));

interface HeightStyle {
  readonly name: string;
  readonly declarativeStyle: {
    readonly color: { readonly conditions: readonly (readonly [string, string])[] };
  };
}

test('points that have nothing else to show are coloured by their height above the ellipsoid', async () => {
  const run = await tests.run(
    [await tests.put('slope.las', writeLas({ points: slope, records: [utm] }))],
    small,
  );
  const { tiles } = await readTileset(run);
  const heights = tiles
    .flatMap(({ properties }) => Array.from(properties['HEIGHT']!))
    .toSorted((a, b) => a - b);
  for (const [i, height] of heights.entries())
    assert.ok(Math.abs(height - (100 + i / 10)) < 0.01, `${height} instead of ${100 + i / 10}`);
  const [style] = run.result.datasource!.properties['styles'] as HeightStyle[];
  const { conditions } = style!.declarativeStyle.color;
  assert.deepEqual([style!.name, conditions.length, conditions[9]![0]], ['Height', 10, 'true']);
  assert.match(conditions[0]![0], /^\$\{HEIGHT\} < 10[34]/);
});

test('points of returns that are not kept are counted as filtered', async () => {
  const las = writeLas({ pointFormat: 1, points: slope, records: [utm] });
  const first = las.readUInt32LE(96);
  // every fourth point is the second of two returns
  for (let i = 0; i < slope.length; i++) las[first + i * 28 + 14] = i % 4 === 0 ? 2 | (2 << 3) : 1 | (2 << 3);
  const file = await tests.put('returns.las', las);
  const run = await tests.run([file], {
    ...small,
    modelOptions: { returns: [2], attributes: ['returnNumber'] },
  });
  const { pointCount, filtered } = run.result.datasource!.properties;
  assert.deepEqual([pointCount, filtered], [100, 300]);
  const all = await tests.run([file], small);
  const styles = all.result.datasource!.properties['styles'] as HeightStyle[];
  assert.deepEqual(
    styles.map(({ name }) => name),
    ['Return number'],
  );
});

test('withheld points are left out, or kept', async () => {
  const las = writeLas({ pointFormat: 1, points: slope, records: [utm] });
  las[las.readUInt32LE(96) + 15]! |= 0x80;
  const file = await tests.put('withheld.las', las);
  const countOf = async (withheld: 'drop' | 'keep') =>
    (await tests.run([file], { ...small, modelOptions: { withheld } })).result.datasource!.properties[
      'pointCount'
    ];
  assert.deepEqual([await countOf('drop'), await countOf('keep')], [399, 400]);
});

test('only points within a box are kept, and sheets outside of it are not read', async () => {
  const far = slope.map((point) => ({ ...point, x: point.x + 100_000 }));
  const near = await tests.put('near.las', writeLas({ points: slope, records: [utm] }));
  const inputs = [near, await tests.put('far.las', writeLas({ points: far, records: [utm] }))];
  // 500 000 is the meridian of 9 degrees, and a degree is 73 km here
  const box = [8.9, 48, 9 + 199.5 / 73_200, 50];
  const run = await tests.run(inputs, { ...small, modelOptions: { box } });
  const { pointCount, filtered } = run.result.datasource!.properties as Record<string, number>;
  assert.equal(pointCount! + filtered!, 400);
  assert.ok(Math.abs(pointCount! - 200) <= 2, String(pointCount));
  assert.equal(run.result.datasource!.bbox![2], box[2]);
  const all = await tests.run([near], { ...small, modelOptions: { box: [8, 48, 10, 50] } });
  assert.equal(all.result.datasource!.properties['filtered'], 0);
  const wrong = (corners: number[]) => tests.run([near], { ...small, modelOptions: { box: corners } });
  await assert.rejects(wrong([20, 48, 21, 50]), /None of the point clouds lies in the box 20, 48, 21, 50/);
  await assert.rejects(wrong([8, 50, 9, 48]), /\/modelOptions\/box: .* south below north/);
});
