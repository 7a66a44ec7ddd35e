import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeLas } from '@platen/formats/las/testing';
import { afterFile } from '../../../checks/clean-up.ts';
import { createKnownSheets } from '../../raster-source/known-sheets.ts';
import { testContext } from '../../testing-context.ts';
import { openPointTests } from '../testing.ts';
import { town, utm } from '../testing-town.ts';
import { findPointSheets, type DescribedSheet } from './find-sheets.ts';

const tests = await openPointTests();
afterFile(() => tests.remove());

test('an abort arrives while sheets are opened', async () => {
  const file = await tests.put('town.las', writeLas({ points: town(10), records: [utm] }));
  const aborting = new AbortController();
  const known = createKnownSheets<DescribedSheet>();
  let opened = 0;
  const options = {
    heights: {},
    placement: {},
    columns: undefined,
    strict: true,
    scratch: tests.folder,
    known: {
      ...known,
      add: (...described: Parameters<typeof known.add>) => {
        opened++;
        if (opened === 5) setImmediate(() => aborting.abort());
        return known.add(...described);
      },
    },
  };
  const context = testContext({ inputs: Array.from({ length: 30 }, () => file), signal: aborting.signal });
  await assert.rejects(findPointSheets(options, context), { name: 'AbortError' });
  assert.equal(opened, 5);
});
