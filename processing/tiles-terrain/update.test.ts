import assert from 'node:assert/strict';
import { rm, truncate, writeFile } from 'node:fs/promises';
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
import { openSheetTests, type SheetRun } from '../raster-source/testing.ts';
import { runTilesTerrain } from './run.ts';
import type { TilesTerrainOptions } from './spec.ts';

const tests = await openSheetTests(runTilesTerrain);
afterFile(tests.remove);

/** Cells of the base are of 180°/256/64, and a unit of them is 5.6° wide. */
const pixelDegrees = 0.01;
const single: TilesTerrainOptions = {
  processing: { workers: 1 },
  heights: { vertical: 'ellipsoid' },
  // narrow surroundings are made faster
  fillHoles: 20,
  blend: 2,
  mesh: { maxZoom: 6 },
};

interface SheetLook {
  /** In steps of 1.5°, a quarter of a unit. */
  readonly column: number;
  readonly row: number;
  /** Times the finest pixels. */
  readonly size: number;
  readonly shape: number;
  /** Metres. */
  readonly lift: number;
  /** Columns that have no data, and how many rows above and below them have. */
  readonly hole: number;
  readonly rim: number;
}

const plain: SheetLook = { column: 0, row: 0, size: 1, shape: 1, lift: 0, hole: 0, rim: 0 };
const noData = -9999;

function sheetOf({ column, row, size, shape, lift, hole, rim }: SheetLook): WrittenTiff {
  const isHole = (x: number, y: number): boolean => x >= 34 && x < 34 + hole && y >= rim && y < 40 - rim;
  const heightOf = (x: number, y: number): number =>
    300 + lift + 200 * Math.sin(x / 9 + shape) * Math.cos(y / 7 + shape * 3);
  return {
    images: [
      {
        width: 50,
        height: 40,
        bits: 32,
        sampleFormat: 3,
        sample: (x, y) => (isHole(x, y) ? noData : heightOf(x, y)),
      },
    ],
    keys: keysOf(4326, 2),
    noData: String(noData),
    scale: [pixelDegrees * size, pixelDegrees * size],
    tie: [0, 0, 0, 5 + column * 1.5, 50 - row * 1.5, 0],
  };
}

let count = 0;
const put = async (look: Partial<SheetLook>, name = `sheet-${count++}.tif`): Promise<JobInput> =>
  withContent(await tests.put(name, sheetOf({ ...plain, ...look })));

const update = (
  inputs: readonly JobInput[],
  former: SheetRun,
  options: TilesTerrainOptions = single,
  more: Partial<JobContext> = {},
) => runUpdate((own) => tests.run(inputs, options, { ...own, ...more }), former);

/** Sheets that lie so far apart that each has units of its own, with nothing between them. */
const farApart = () =>
  Promise.all(Array.from({ length: 3 }, (_, i) => put({ column: i * 16, row: (i % 2) * 16, shape: i })));

test('an update makes only the tiles again that changed sheets touch', async () => {
  const sheets = await farApart();
  const former = await tests.run(sheets, single);
  const changed = sheets.with(2, await put({ column: 32, shape: 77 }, sheets[2]!.name));
  // sheets that have not changed must not be read but for their headers
  for (const [i, { path, size }] of changed.entries()) if (i !== 2) await truncate(path, size - 3000);
  const updated = await update(changed, former);
  assert.deepEqual(updated.warnings, []);
  const summary = updated.logged.find(([, data]) => data?.['changed'] !== undefined);
  assert.deepEqual(summary?.[1], { sheets: 3, changed: 1, added: 0, removed: 0 });
  const units = Number(updated.logged.find(([, data]) => data?.['phase'] === 'read')?.[1]!['units']);
  assert.ok(updated.copied['read']! > 0.5 * units, `${updated.copied['read']} of ${units} units are kept`);
  for (const [i, { name }] of sheets.entries())
    if (i !== 2) await put({ column: i * 16, row: (i % 2) * 16, shape: i }, name);
  const full = await tests.run(changed, single);
  await isLikeFull(updated, full);
  const back = await update(changed, updated);
  await isLikeFull(back, full);
  assert.ok(back.copied['make']! > updated.copied['make']!, 'an update of an update copies everything');
});

/** A unit amid eight others that a coarse sheet covers, and a bit more. */
const amid = { west: 11.25, north: 45 };
const tileDegrees = 5.625 / 4;
/** The coarse sheet, and one at its edge that is as fine as any. */
const ground = async () => [
  await put({ size: 43, column: 0.55 / 1.5, row: -0.7 / 1.5 }),
  await put({ column: 0.6 / 1.5, row: -0.6 / 1.5 }),
];

interface SmallSheet {
  /** Of its corner and its size, in tiles of zoom 7. */
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly shape: number;
}
const smallSheet = ({ x, y, size, shape }: SmallSheet) => ({
  column: (amid.west + x * tileDegrees - 5) / 1.5,
  row: (50 - amid.north + y * tileDegrees) / 1.5,
  size: (size * tileDegrees) / 50 / pixelDegrees,
  shape,
});
const amidData: TilesTerrainOptions = { ...single, mesh: { maxZoom: 7, quality: 'high' } };

test('amid the data, only those tiles of a unit are made again that a changed sheet touches', async () => {
  const place = { x: 0.3, y: 0.3, size: 0.4 };
  const fine = await put(smallSheet({ ...place, shape: 1 }));
  const sheets = [...(await ground()), fine];
  const former = await tests.run(sheets, amidData);
  const changed = sheets.with(2, await put(smallSheet({ ...place, shape: 9 }), fine.name));
  const updated = await update(changed, former, amidData);
  const made = updated.logged.find(([, data]) => data?.['phase'] === 'make')![1]!;
  // 12 of zoom 7, where four of sixteen are made again; and 50 of units at the edge, as far from it as three units
  assert.equal(Number(made['tiles']) - Number(made['made']), 12 + 50);
  await isLikeFull(updated, await tests.run(changed, amidData));
});

const amidSheet = fc.record({
  x: fc.double({ min: -2, max: 5, noNaN: true }),
  y: fc.double({ min: -2, max: 5, noNaN: true }),
  size: fc.double({ min: 0.4, max: 2, noNaN: true }),
  shape: fc.integer({ min: 0, max: 8 }),
});

test('random sheets that come to the middle of others', async () => {
  const kind = fc.constantFrom('quantizedMesh', 'quantizedMesh', 'hillshade', 'rasterDem');
  await fc.assert(
    fc.asyncProperty(amidSheet, kind, async (look, one) => {
      const before = await ground();
      const after = [...before, await put(smallSheet(look))];
      const options = { ...amidData, mesh: { maxZoom: 6 }, output: { kind: one, name: 'a' } };
      const former = await tests.run(before, options);
      const updated = await update(after, former, options);
      await isLikeFull(updated, await tests.run(after, options));
    }),
    { numRuns: 1 },
  );
});

test('tiles at a wide hole are made again if what it is filled from has changed far away', async () => {
  // 22.5° × 18° with a hole of 4.5° × 17.1°, three units high
  const ring = await put({ size: 45, column: 0.65 / 1.5, row: -0.6 / 1.5, hole: 10, rim: 1 });
  const place = { column: 16.5 / 1.5, row: -0.6 / 1.5 };
  const sheets = [ring, await put(place)];
  const options = { ...single, fillHoles: 4000, mesh: { maxZoom: 5, quality: 'high' } };
  const former = await tests.run(sheets, options);
  const changed = [ring, await put({ ...place, lift: 8000 }, sheets[1]!.name)];
  const updated = await update(changed, former, options);
  assert.ok(updated.copied['make']! > 0);
  await isLikeFull(updated, await tests.run(changed, options));
});

test('a full run says why: finer sheets, other water, no known content', async () => {
  const sheets = [await put({}), await put({ column: 4 })];
  const former = await tests.run(sheets, single);
  const reasonOf = ({ logged }: Awaited<ReturnType<typeof update>>) =>
    logged.find(([message]) => message.startsWith('All tiles'))?.[1]?.['reason'];
  const finer = [...sheets, await put({ column: 2, size: 0.4 })];
  const zooms = await update(finer, former);
  assert.equal(reasonOf(zooms), 'zooms');
  const wet = [...sheets, await lake('lake.geojson', 5.1)];
  const water = await update(wet, former);
  assert.equal(reasonOf(water), 'otherInputs');
  const { content: _content, ...unknown } = sheets[0]!;
  const none = await tests.run([unknown, sheets[1]!], single);
  assert.equal(none.result.manifest, undefined);
});

/** A polygon from 9.5° N to 49.95° N, in several units. */
async function lake(name: string, west: number): Promise<JobInput> {
  const ring = [
    [west, 40],
    [west + 20, 40],
    [west + 20, 49.95],
    [west, 49.95],
    [west, 40],
  ];
  const geometry = { type: 'Polygon', coordinates: [ring] };
  const path = join(tests.folder, name);
  await writeFile(path, JSON.stringify({ type: 'Feature', properties: {}, geometry }));
  return withContent(await tests.inputOf(path));
}

test('water that reaches over many units gets the level of all their heights', async () => {
  const flat = (column: number, shape: number, name?: string) =>
    put({ column, row: 1, size: 0.5 + shape / 1e6, shape: 0, hole: 60 }, name);
  const water = await lake('long.geojson', 4);
  const sheets = [
    await put({ column: 1, row: 1 }),
    await put({ column: 9, row: 1 }),
    await flat(5, 1),
    water,
  ];
  const former = await tests.run(sheets, single);
  const changed = sheets.with(1, await put({ column: 9, row: 1, hole: 12 }, sheets[1]!.name));
  const updated = await update(changed, former);
  await isLikeFull(updated, await tests.run(changed, single));
});

test('an interrupted update goes on, with other threads and another copy of the former files', async () => {
  const sheets = await farApart();
  const options = { ...single, processing: { workers: 2 } };
  const former = await tests.run(sheets, single);
  const changed = sheets.with(2, await put({ column: 31, row: 1, shape: 9 }, sheets[2]!.name));
  const scratchFolder = join(tests.folder, 'interrupted');
  for (const phase of ['combine', 'make']) {
    const aborter = new AbortController();
    const start = { scratchFolder, keepsScratch: true, signal: aborter.signal };
    await assert.rejects(
      update(changed, former, options, {
        ...start,
        progress: (name, done, total) =>
          name === phase && done >= total * 0.9 && aborter.abort(new Error('ended')),
      }),
      /ended/,
    );
  }
  const resumed = await update(changed, former, options, { scratchFolder });
  await isLikeFull(resumed, await tests.run(changed, single));
});

const look = fc.record({
  column: fc.integer({ min: 0, max: 5 }),
  row: fc.integer({ min: 0, max: 5 }),
  size: fc.constantFrom(1, 1, 1, 2, 5),
  shape: fc.integer({ min: 0, max: 8 }),
  lift: fc.constantFrom(0, 700),
  hole: fc.constantFrom(0, 0, 7, 60),
  rim: fc.constantFrom(0, 0, 8),
});
const random = fc.record({
  looks: fc.array(look, { minLength: 1, maxLength: 3 }),
  changes: fc.array(anySheetChange(look), { minLength: 1, maxLength: 3 }),
  kind: fc.constantFrom('quantizedMesh', 'quantizedMesh', 'rasterDem', 'hillshade'),
  fillHoles: fc.constantFrom(0, 20, 20, 400),
  maxZoom: fc.integer({ min: 3, max: 7 }),
});

test('random changes of random mosaics', async () => {
  await fc.assert(
    fc.asyncProperty(random, async ({ looks, changes, kind, fillHoles, maxZoom }) => {
      const sheets = await Promise.all(looks.map((one) => put(one)));
      const options = { ...single, fillHoles, mesh: { maxZoom }, output: { kind, name: 'a' } };
      const former = await tests.run(sheets, options);
      const changed = await changeSheets(sheets, changes, put);
      const [updated, full] = [await update(changed, former, options), await tests.run(changed, options)];
      await isLikeFull(updated, full);
      for (const { outputFolder } of [former, updated, full]) await rm(outputFolder, { recursive: true });
    }),
    { numRuns: 2 },
  );
});
