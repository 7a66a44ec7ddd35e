import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { keysOf, writeTiff } from '@platen/formats/geotiff/testing';
import { decodeHeader } from '@platen/geo/pmtiles/header';
import { afterFile } from '../checks/clean-up.ts';
import { runConvertRaster } from './convert-raster/run.ts';
import { inspectSubject, sampleFile, subjectOf } from './inspect/testing-subject.ts';
import { joinSidecars } from './raster-source/sidecars.ts';
import { openSheetTests } from './raster-source/testing.ts';
import { suggestJobs } from './suggest-jobs.ts';
import { runTilesImagery } from './tiles-imagery/run.ts';
import { runTilesTerrain } from './tiles-terrain/run.ts';

const jobs = {
  platenTilesImagery: await openSheetTests(runTilesImagery),
  platenConvertRaster: await openSheetTests(runConvertRaster),
  platenTilesTerrain: await openSheetTests(runTilesTerrain),
} as const;
for (const { remove } of Object.values(jobs)) afterFile(remove);
const ofImages = ['platenTilesImagery', 'platenConvertRaster'] as const;
const ofHeights = ['platenTilesTerrain'] as const;

type Files = Readonly<Record<string, Uint8Array>>;

/** Runs the job types that the inspection suggests, and compares what they make with what it expects. */
async function expectNear(files: Files, jobTypes: readonly (keyof typeof jobs)[]): Promise<void> {
  const [name] = Object.keys(files) as [string];
  const report = await inspectSubject(subjectOf(files, name));
  const { uses } = suggestJobs(report!, 2);
  for (const jobType of jobTypes) {
    const use = uses.find(({ type }) => type === jobType);
    assert.ok(use?.expectedBytes !== undefined && use.expectedSeconds! > 0, `${jobType} of ${name}`);
    const { put, run } = jobs[jobType];
    const inputs = [];
    for (const [file, content] of Object.entries(files)) inputs.push(await put(file, content));
    const { outputFolder, path } = await run(joinSidecars(inputs));
    const ratio = use.expectedBytes / (await bytesIn(outputFolder));
    assert.ok(ratio > 0.5 && ratio < 2, `${jobType} of ${name}: ${ratio.toFixed(2)} of the real size`);
    if (use.maxZoom === undefined) continue;
    const { maxZoom } = decodeHeader(await readFile(path));
    // archives of terrain begin one zoom lower, as they have one root
    assert.equal(jobType === 'platenTilesTerrain' ? maxZoom - 1 : maxZoom, use.maxZoom, jobType);
  }
}

async function bytesIn(folder: string): Promise<number> {
  let sum = 0;
  for (const name of await readdir(folder)) {
    const file = await stat(join(folder, name));
    if (file.isFile()) sum += file.size;
  }
  return sum;
}

const near25832 = { keys: keysOf(25832), scale: [2, 2], tie: [0, 0, 0, 690_000, 5_330_000, 0] } as const;
const waves = (x: number, y: number) => Math.sin(x / 9) * Math.cos(y / 13) + Math.sin((x * y) / 4000);

test('tiles and a COG of an orthophoto are as large as expected, within a factor of 2', async () => {
  const sample = (x: number, y: number, band: number) =>
    128 + Math.round(50 * waves(x, y) + ((x * 7919 + y * 104_729 + band * 31) % 17));
  const image = { width: 600, height: 500, tile: 128, bands: 3, isDeflated: true, sample };
  await expectNear({ 'photo.tif': writeTiff({ ...near25832, images: [image] }) }, ofImages);
});

test('terrain of a height model is as large as expected, within a factor of 2', async () => {
  const sample = (x: number, y: number) => 500 + 40 * waves(x / 2, y / 2);
  const image = { width: 500, height: 400, bits: 32, sampleFormat: 3, isDeflated: true, sample } as const;
  const scale = [20, 20] as const;
  await expectNear({ 'heights.tif': writeTiff({ ...near25832, scale, images: [image] }) }, ofHeights);
});

const samples = [
  { paths: ['imagery/autzen.jpg', 'imagery/autzen.jpg.aux.xml'], jobTypes: ofImages },
  { paths: ['imagery/OSBS_029.tif'], jobTypes: ofImages },
  { paths: ['terrain/N49E011.hgt'], jobTypes: ofHeights },
  { paths: ['terrain/N48W125.hgt.gz'], jobTypes: ofHeights },
];
const isThorough = process.env['PLATEN_SAMPLE_OUTPUTS'] === '1';

for (const { paths, jobTypes } of samples) {
  const files = paths.map(sampleFile);
  const skip = isThorough ? files[0]!.skip : 'SKIPPED: takes long; set PLATEN_SAMPLE_OUTPUTS=1';
  test(`outputs of ${files[0]!.name} are as large as expected, within a factor of 2`, { skip }, async () => {
    const contents: [string, Uint8Array][] = [];
    for (const { name, read } of files) {
      const content = await read();
      const isPacked = name.endsWith('.gz');
      contents.push(isPacked ? [name.slice(0, -3), gunzipSync(content)] : [name, content]);
    }
    await expectNear(Object.fromEntries(contents), jobTypes);
  });
}
