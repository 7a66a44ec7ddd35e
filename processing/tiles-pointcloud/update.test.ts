import assert from 'node:assert/strict';
import { copyFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { writeLas, type WrittenPoint } from '@platen/formats/las/testing';
import { afterFile } from '../../checks/clean-up.ts';
import type { JobContext, JobInput } from '../job-type.ts';
import {
  anySheetChange,
  changeSheets,
  isLikeFull,
  runUpdate,
  withContent,
} from '../raster-source/testing-updates.ts';
import type { TilesPointcloudOptions } from './spec.ts';
import { openPointTests, readTileset, type PointRun } from './testing.ts';
import { littleMemory, town, utm } from './testing-town.ts';

const tests = await openPointTests();
afterFile(() => tests.remove());

/** So small tiles that a few thousand points have parts that are copied; and no threads, which take long to start. */
const tiny = {
  tiling: { pointsPerTile: 270 },
  heights: { vertical: 'ellipsoid' },
  processing: { workers: 1 },
} satisfies TilesPointcloudOptions;

const [east, north] = [500_000, 5_400_000];
const step = 150;
const perSheet = 1000;

interface SheetLook {
  readonly column: number;
  readonly row: number;
  readonly points: number;
  readonly seed: number;
  /** Of the same intensity, so that the attributes depend on which sheets there are. */
  readonly isPlain: boolean;
  readonly pointFormat: 0 | 2;
}

const plain: SheetLook = { column: 0, row: 0, points: perSheet, seed: 1, isPlain: false, pointFormat: 2 };

/** A town of 200 × 150 m: neighbours overlap, and share points if their seeds are the same. */
function pointsOf({ column, row, points, seed, isPlain }: SheetLook): WrittenPoint[] {
  const found = town(points, seed, [east + column * step, north + row * step]);
  return isPlain ? found.map((point) => ({ ...point, intensity: 9, classification: 2 })) : found;
}

let count = 0;
async function put(look: Partial<SheetLook>, name = `sheet-${count++}.las`): Promise<JobInput> {
  const whole = { ...plain, ...look };
  const { pointFormat } = whole;
  return withContent({
    ...(await tests.put(name, writeLas({ pointFormat, points: pointsOf(whole), records: [utm] }))),
    name,
  });
}

const update = (
  inputs: readonly JobInput[],
  former: PointRun,
  options: TilesPointcloudOptions = tiny,
  more: Partial<JobContext> = {},
) => runUpdate((own) => tests.run(inputs, options, { ...own, ...more }), former);

/** 6 × 6 sheets side by side, and what a full run makes of them. */
const field = await Promise.all(
  Array.from({ length: 36 }, (_, i) => put({ column: i % 6, row: Math.floor(i / 6), seed: i + 1 })),
);
let ofField: Promise<PointRun> | undefined;
const runOfField = () => (ofField ??= tests.run(field, tiny));

/** The same sheet in a file that has no more than its first bytes. */
async function unreadable(sheet: JobInput): Promise<JobInput> {
  const path = `${sheet.path}-${count++}`;
  await copyFile(sheet.path, path);
  await truncate(path, 4);
  return { ...sheet, path };
}

const reasonOf = ({ logged }: Awaited<ReturnType<typeof update>>) =>
  logged.find(([message]) => message.startsWith('All tiles are made again'))?.[1]?.['reason'];

const readPoints = ({ logged }: Awaited<ReturnType<typeof update>>) =>
  Number(logged.find(([, data]) => data?.['phase'] === 'read')![1]!['points']);

test('an update makes only the tiles again that changed, new and missing sheets touch', async () => {
  const sheets = field;
  const former = await runOfField();
  const changes = {
    changed: sheets.with(7, await put({ column: 1, row: 1, seed: 99 }, sheets[7]!.name)),
    added: [...sheets, await put({ column: 6, row: 2, seed: 98 })],
    'added beyond the root': [...sheets, await put({ column: 40, row: -20, seed: 97 })],
    removed: sheets.toSpliced(0, 1),
  };
  for (const [what, inputs] of Object.entries(changes)) {
    const updated = await update(inputs, former);
    await isLikeFull(updated, await tests.run(inputs, tiny));
    assert.equal(reasonOf(updated), undefined, what);
    const tiles = Number(updated.result.datasource!.properties['tileCount']);
    assert.ok(
      updated.copied['make']! > tiles / 3,
      `${what}: ${updated.copied['make']} of ${tiles} tiles are copied`,
    );
    assert.ok(readPoints(updated) < 36 * perSheet * 0.6, `${what}: ${readPoints(updated)} points are read`);
    if (what !== 'removed') continue;
    await isLikeFull(await update(sheets, updated), former);
  }
});

test('sheets that nothing has changed around are not read, not even their headers', async () => {
  const changed = field.with(0, await put({ seed: 99 }, field[0]!.name));
  const isFar = (i: number) => i % 6 > 3 && i > 23;
  const inputs = await Array.fromAsync(changed, (sheet, i) => (isFar(i) ? unreadable(sheet) : sheet));
  await isLikeFull(await update(inputs, await runOfField()), await tests.run(changed, tiny));
});

test('sheets with something to say of them are not opened again, and it is said again', async () => {
  const points = pointsOf({ ...plain, column: 5, row: 1 });
  const odd = writeLas({
    pointFormat: 2,
    points,
    records: [utm],
    extraBytes: points.map(() => Buffer.alloc(3)),
  });
  const inputs = [...field.slice(0, 11), await withContent(await tests.put('odd.las', odd))];
  const former = await tests.run(inputs, tiny);
  const changed = inputs.with(0, await put({ seed: 99 }, inputs[0]!.name));
  const full = await tests.run(changed, tiny);
  const updated = await update(changed.with(11, await unreadable(changed[11]!)), former);
  assert.equal(reasonOf(updated), undefined);
  assert.deepEqual(
    updated.warnings.map(({ code }) => code),
    ['unusedContent'],
  );
  await isLikeFull(updated, full);
});

test('a missing sheet loses its points, and nobody else does', async () => {
  const updated = await update(field.toSpliced(14, 1), await runOfField());
  const { tiles } = await readTileset(updated);
  const left = tiles.reduce((sum, { places }) => sum + places.length / 3, 0);
  assert.equal(left, 35 * perSheet - Number(updated.result.datasource!.properties['duplicates']));
});

test('of sheets that are as they were, an update says what a full run says', async () => {
  const outside = writeLas({
    pointFormat: 2,
    points: pointsOf({ ...plain, column: 5, row: 1 }),
    records: [utm],
  });
  outside.writeDoubleLE(outside.readDoubleLE(179) - 100, 179); // the largest x of its header
  const broken = writeLas({ pointFormat: 2, points: pointsOf({ ...plain, column: 5 }), records: [utm] });
  const sheets = [
    ...field.slice(0, 11).toSpliced(5, 1),
    await withContent(await tests.put('outside.las', outside)),
    await withContent(await tests.put('broken.las', broken.subarray(0, broken.length >> 1))),
  ];
  const former = await tests.run(sheets, tiny);
  const changed = sheets.with(0, await put({ seed: 99 }, sheets[0]!.name));
  const updated = await update(changed, former);
  const codes = updated.warnings.map(({ code }) => code);
  assert.ok(codes.includes('pointsOutside'));
  assert.ok(codes.length > 1);
  assert.equal(reasonOf(updated), undefined);
  await isLikeFull(updated, await tests.run(changed, tiny));
});

test('a full run says why', async () => {
  const sheets = field.slice(0, 6);
  const former = await tests.run(sheets, tiny);
  const cases = {
    frame: [...sheets, await put({ column: 900 })],
    everywhere: await Promise.all(sheets.map(({ name }, i) => put({ column: i, seed: i + 500 }, name))),
  };
  for (const [reason, inputs] of Object.entries(cases)) {
    const updated = await update(inputs, former);
    assert.equal(reasonOf(updated), reason);
    await isLikeFull(updated, await tests.run(inputs, tiny));
  }
  const single = await Promise.all(sheets.map((_, i) => put({ column: i, seed: i + 1, isPlain: true })));
  const one = await tests.run(single, tiny);
  const varied = single.with(3, await put({ column: 3, seed: 4 }, single[3]!.name));
  const updated = await update(varied, one);
  assert.equal(reasonOf(updated), 'attributes');
  await isLikeFull(updated, await tests.run(varied, tiny));
});

test('neither threads nor memory change an update, nor what it is made from', async () => {
  const sheets = await Promise.all(
    Array.from({ length: 16 }, (_, i) =>
      put({ column: i % 4, row: Math.floor(i / 4), points: 7000, seed: i + 1 }),
    ),
  );
  const changed = sheets.with(6, await put({ column: 1, row: 1, points: 8000, seed: 99 }, sheets[6]!.name));
  const options = { ...tiny, tiling: { pointsPerTile: 1000 } };
  const single = { ...options, processing: { workers: 1 } };
  const several = { ...options, processing: { workers: 3 } };
  const full = await tests.run(changed, options);
  const narrow = await tests.run(sheets, single, littleMemory);
  await isLikeFull(await update(changed, narrow, several), full);
  const wide = await tests.run(sheets, several);
  await isLikeFull(wide, narrow);
  const updated = await update(changed, wide, single, littleMemory);
  await isLikeFull(updated, full);
  assert.ok(updated.copied['make']! > 0);
});

test('without known content, or as a folder, nothing is left for updates', async () => {
  const sheet = await put({});
  const { content: _content, ...unknown } = sheet;
  assert.equal((await tests.run([unknown], tiny)).result.manifest, undefined);
  const folder = await tests.run([sheet], { ...tiny, output: { format: 'folder' } });
  assert.equal(folder.result.manifest, undefined);
});

test('an interrupted update goes on where it was', async () => {
  const former = await runOfField();
  const changed = field.with(8, await put({ column: 2, row: 1, seed: 77 }, field[8]!.name));
  const full = await tests.run(changed, tiny);
  for (const phase of ['read', 'make', 'combine', 'write']) {
    const scratchFolder = join(tests.folder, `interrupted-${phase}`);
    const aborter = new AbortController();
    const more: Partial<JobContext> = {
      scratchFolder,
      keepsScratch: true,
      signal: aborter.signal,
      progress: (own, done) => own === phase && done > 0 && aborter.abort(new Error('ended')),
    };
    await update(changed, former, tiny, more).catch((error: Error) => assert.equal(error.message, 'ended'));
    await isLikeFull(await update(changed, former, tiny, { scratchFolder }), full);
  }
});

const look = fc.record({
  column: fc.integer({ min: 0, max: 5 }),
  row: fc.integer({ min: 0, max: 5 }),
  points: fc.integer({ min: 1, max: 2500 }),
  seed: fc.integer({ min: 1, max: 6 }),
  isPlain: fc.constantFrom(false, false, true),
  pointFormat: fc.constantFrom(2 as const, 2 as const, 2 as const, 0 as const),
});
const random = fc.record({
  looks: fc.array(look, { minLength: 4, maxLength: 14 }),
  changes: fc.array(fc.array(anySheetChange(look), { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 3,
  }),
  duplicates: fc.constantFrom('drop', 'keep'),
  encoding: fc.constantFrom('pnts', 'pnts', 'glb'),
  workers: fc.integer({ min: 1, max: 3 }),
});

test('random changes of random sheets, with any number of threads', async () => {
  let copied = 0;
  await fc.assert(
    fc.asyncProperty(random, async ({ looks, changes, duplicates, encoding, workers }) => {
      let sheets: readonly JobInput[] = await Promise.all(looks.map((one) => put(one)));
      const options = { ...tiny, output: { encoding }, processing: { duplicates, workers: 1 } };
      let former = await tests.run(sheets, options);
      for (const round of changes) {
        sheets = await changeSheets(sheets, round, put);
        const own = { ...options, processing: { duplicates, workers } };
        const updated = await update(sheets, former, own);
        await isLikeFull(updated, await tests.run(sheets, options));
        await rm(former.outputFolder, { recursive: true });
        copied += updated.copied['make'] ?? 0;
        former = updated;
      }
    }),
    { numRuns: 4 },
  );
  assert.ok(copied > 0, 'some of them copy tiles');
});
