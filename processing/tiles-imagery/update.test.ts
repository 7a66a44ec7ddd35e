import assert from 'node:assert/strict';
import { rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { keysOf, type WrittenTiff } from '@platen/formats/geotiff/testing';
import { afterFile } from '../../checks/clean-up.ts';
import type { JobContext, JobInput } from '../job-type.ts';
import {
  anySheetChange,
  changeSheets,
  isLikeFull,
  runUpdate,
  withContent,
} from '../raster-source/testing-updates.ts';
import type { SheetRun } from '../raster-source/testing.ts';
import type { TilesImageryOptions } from './spec.ts';
import { openImageryTests } from './testing.ts';

const tests = await openImageryTests();
afterFile(tests.remove);

const [east, north] = [500_000, 5_500_000];
const single = { processing: { workers: 1 } };

interface SheetLook {
  /** In steps of 1500 m, which is about half a unit. */
  readonly column: number;
  readonly row: number;
  readonly metres: number;
  readonly shade: number;
  readonly bits: 8 | 16;
}

const plain: SheetLook = { column: 0, row: 0, metres: 2, shade: 9, bits: 8 };

function sheetOf({ column, row, metres, shade, bits }: SheetLook): WrittenTiff {
  return {
    images: [
      {
        width: 50,
        height: 40,
        bands: 3,
        bits,
        photometric: 2,
        sample: (x, y, band) => (x * 5 + y * 3 + band * 40 + shade * 29) % 256,
      },
    ],
    keys: keysOf(25_832),
    scale: [metres, metres],
    tie: [0, 0, 0, east + column * 1500, north - row * 1500, 0],
  };
}

let count = 0;
const put = async (look: Partial<SheetLook>, name = `sheet-${count++}.tif`): Promise<JobInput> =>
  withContent(await tests.put(name, sheetOf({ ...plain, ...look })));

const update = (
  inputs: readonly JobInput[],
  former: SheetRun,
  options: TilesImageryOptions = single,
  more: Partial<JobContext> = {},
) => runUpdate((own) => tests.run(inputs, options, { ...own, ...more }), former);

/** 4 × 4 sheets that lie apart. */
const field = () =>
  Promise.all(
    Array.from({ length: 16 }, (_, i) => put({ column: (i % 4) * 2, row: Math.floor(i / 4) * 2, shade: i })),
  );

test('an update makes only the units again that changed sheets touch', async () => {
  const sheets = await field();
  const former = await tests.run(sheets, single);
  const changed = [...sheets];
  changed[5] = await put({ column: 2, row: 2, shade: 77 }, sheets[5]!.name);
  // sheets that have not changed must not be read, not even their headers
  for (const { path } of changed.filter((_, i) => i !== 5)) await truncate(path, 4);
  const updated = await update(changed, former);
  assert.deepEqual(
    updated.warnings.map(({ code }) => code),
    ['sheetsFarApart'],
  );
  assert.ok(updated.copied['read']! >= 15, `${updated.copied['read']} units are copied`);
  const summary = updated.logged.find(([, data]) => data?.['changed'] !== undefined);
  assert.deepEqual(summary?.[1], { sheets: 16, changed: 1, added: 0, removed: 0 });
  for (const [i, { name }] of sheets.entries())
    if (i !== 5) await put({ column: (i % 4) * 2, row: Math.floor(i / 4) * 2, shade: i }, name);
  const full = await tests.run(changed, single);
  await isLikeFull(updated, full);
  const back = await update(changed, updated);
  await isLikeFull(back, full);
  assert.ok(back.copied['read']! > updated.copied['read']!, 'an update of an update copies everything');
});

test('a full run says why: finer sheets, other colours, no known content', async () => {
  const sheets = [await put({ column: 1 }), await put({ column: 4, bits: 16 })];
  const former = await tests.run(sheets, single);
  const finer = [...sheets, await put({ column: 2, metres: 0.5 })];
  const zooms = await update(finer, former);
  assert.deepEqual(zooms.logged.find(([message]) => message.startsWith('All tiles'))?.[1], {
    reason: 'zooms',
  });
  await isLikeFull(zooms, await tests.run(finer, single));
  const stretched = [sheets[0]!, sheets[1]!, await put({ column: 4, row: 3, bits: 16, shade: 8 })];
  const colours = await update(stretched, former);
  await isLikeFull(colours, await tests.run(stretched, single));
  const { content: _content, ...unknown } = sheets[0]!;
  const none = await tests.run([unknown, sheets[1]!], single);
  assert.equal(none.result.manifest, undefined);
});

test('an interrupted update goes on, with other threads and another copy of the former files', async () => {
  const sheets = await field();
  const options = { processing: { workers: 2 } };
  const former = await tests.run(sheets, options);
  const changed = [...sheets];
  for (let i = 0; i < sheets.length; i += 3)
    changed[i] = await put(
      { column: (i % 4) * 2, row: Math.floor(i / 4) * 2, shade: i + 50 },
      sheets[i]!.name,
    );
  const scratchFolder = join(tests.folder, 'interrupted');
  const aborter = new AbortController();
  const start = { scratchFolder, keepsScratch: true, signal: aborter.signal };
  await assert.rejects(
    update(changed, former, options, {
      ...start,
      progress: (phase, done, total) =>
        phase === 'read' && done >= total - 3 && aborter.abort(new Error('ended')),
    }),
    /ended/,
  );
  const resumed = await update(changed, former, options, { scratchFolder });
  await isLikeFull(resumed, await tests.run(changed, options));
});

const look = fc.record({
  column: fc.integer({ min: 0, max: 5 }),
  row: fc.integer({ min: 0, max: 5 }),
  metres: fc.constantFrom(2, 2, 2, 3, 8),
  shade: fc.integer({ min: 0, max: 8 }),
  bits: fc.constantFrom(8 as const, 8 as const, 8 as const, 16 as const),
});
const random = fc.record({
  looks: fc.array(look, { minLength: 1, maxLength: 7 }),
  changes: fc.array(fc.array(anySheetChange(look), { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 2,
  }),
  format: fc.constantFrom('auto', 'png', 'webp'),
  isMbtiles: fc.boolean(),
});

test('random changes of random mosaics', async () => {
  await fc.assert(
    fc.asyncProperty(random, async ({ looks, changes, format, isMbtiles }) => {
      let sheets: readonly JobInput[] = await Promise.all(looks.map((one) => put(one)));
      const output = isMbtiles ? ({ format: 'mbtiles', name: 'a' } as const) : { name: 'a' };
      const options = { ...single, image: { format }, output } as const;
      let former = await tests.run(sheets, options);
      for (const round of changes) {
        sheets = await changeSheets(sheets, round, put);
        const updated = await update(sheets, former, options);
        const full = await tests.run(sheets, options);
        await isLikeFull(updated, full);
        await rm(former.outputFolder, { recursive: true });
        former = updated;
      }
    }),
    { numRuns: 5 },
  );
});
