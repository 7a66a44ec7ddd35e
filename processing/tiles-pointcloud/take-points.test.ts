import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openScratchFile } from '../kit/scratch-file.ts';
import { columnsOf } from './record-columns.ts';
import { readSettings } from './settings.ts';
import { createSpill } from './spill.ts';
import { createStatistics } from './statistics.ts';
import { createTaker } from './take-points.ts';
import { planBuckets } from './tree/plan-buckets.ts';
import { plainShape } from './tree/row-shape.ts';

test('points that are left out are not placed where there are no others', () => {
  const settings = readSettings({ modelOptions: { classes: [2] } });
  const columns = columnsOf([], { extras: [] } as never, settings);
  const root = { corner: [0, 0, 0], sideBits: 20 } as const;
  const buckets = planBuckets(root, [], 1000);
  const spill = createSpill(openScratchFile(join(tmpdir(), 'unused')), columns.count, () =>
    plainShape(columns.count),
  );
  const setup = { settings, root, columns, buckets, needed: undefined, olderNeeded: undefined };
  const take = createTaker(setup as never, { spill, older: spill });
  // of the wrong class, far away; far away; in its place
  const places = Float64Array.of(1e9, 0, 0, 0, 1e9, 0, 10, 10, 10);
  const placed: number[] = [];
  const statistics = createStatistics(columns);
  take(
    { count: 3, places, classes: Uint8Array.of(7, 2, 2) } as never,
    {
      isOlder: false,
      place: (given) => placed.push(...given),
      bounds: Float64Array.of(0, 0, 0, 100, 100, 100),
      isWithin: undefined,
      colourShift: 0,
    },
    statistics,
  );
  assert.deepEqual(placed, [0, 0, 0, 0, 0, 0, 10, 10, 10]);
  assert.deepEqual([statistics.filtered, statistics.outside, statistics.kept], [1, 1, 1]);
});
