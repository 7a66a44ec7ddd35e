// The tools on the page of a point cloud, from the choice of a file to the points that the job has made.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { namedStylesOf } from '@platen/contract/named-styles';
import { keysOf, writeTiff } from '@platen/formats/geotiff/testing';
import { keysRecord, writeLas } from '@platen/formats/las/testing';
import type { Browser, Page } from 'playwright-core';
import { afterFile } from '../checks/clean-up.ts';
import { findChromium, howToGetIt } from './chromium.ts';
import { newProject, runSuggestedTask, upload, type Bucket } from './testing-jobs.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';
import { openInterface } from './web/testing-interface.ts';
import { wordsOf } from './web/testing-words.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const timeout = 180_000;
const words = wordsOf('en');

const [east, north] = [690_000, 5_540_000];
const utm = keysRecord([
  [1024, 0, 1, 1],
  [3072, 0, 1, 25832],
  [4096, 0, 1, 7837],
]);

/** Points of a plane, a metre apart, without colours. */
const plane = (height: number) =>
  writeLas({
    records: [utm],
    points: Array.from({ length: 400 }, (_, i) => ({
      x: east + (i % 20),
      y: north + Math.floor(i / 20),
      z: height,
      intensity: i,
      classification: 2,
    })),
  });

/** Red, around the plane. */
const photo = writeTiff({
  scale: [1, 1],
  tie: [0, 0, 0, east - 10, north + 30, 0],
  keys: keysOf(25832),
  images: [
    {
      width: 40,
      height: 40,
      bands: 3,
      bits: 8,
      photometric: 2,
      sample: (_x, _y, band) => (band === 0 ? 200 : 20),
    },
  ],
});

let browser: Browser;
let bucket: Bucket;
let datasourceId: string;

before(async () => {
  if (skip) return;
  browser = await sharedBrowser(executable!, { map: true });
  bucket = await newProject('Tools of points');
  await upload(bucket, { 'plane.las': plane(300), 'before.las': plane(298), 'photo.tif': photo });
  ({ datasourceId } = await runSuggestedTask(bucket, 'plane.las', 'platenTilesPointcloud'));
});
afterFile(() => browser?.close());

/** Uses a tool with a file, and waits for the job. */
async function use(tool: 'colour' | 'compare', file: string, more?: (page: Page) => Promise<void>) {
  const { client, url } = await sharedService();
  const { page, context, expect, assertQuiet } = await openInterface(browser, { url });
  expect(/GPU stall due to ReadPixels/);
  await page.goto(`${url}/p/${bucket.projectId}/datasources/${datasourceId}`);
  await page.getByRole('button', { name: words(`datasources.points.${tool}.open`) }).click();
  const dialog = page.getByRole('dialog', { name: words(`datasources.points.${tool}.title`) });
  await dialog.getByLabel(words(`datasources.points.${tool}.file`), { exact: true }).click();
  await page.getByRole('button', { name: file }).click();
  await more?.(page);
  await dialog.getByRole('button', { name: words(`datasources.points.${tool}.action`), exact: true }).click();
  await page.waitForURL(/\/jobs\//);
  const params = { projectId: bucket.projectId, jobId: new URL(page.url()).pathname.split('/').at(-1)! };
  for await (const event of client.getProjectJobEvents({ params })) if (event.event === 'end') break;
  const job = await client.getProjectJob({ params });
  assert.equal(job.state, 'succeeded', job.errorMessage ?? '');
  assertQuiet();
  await context.close();
}

/** The feature table and the points of the first tile, of 3D Tiles 1.0. */
async function readTile() {
  const { url, token } = await sharedService();
  const read = (path: string) =>
    fetch(`${url}/data/${datasourceId}/${path}`, { headers: { authorization: `Bearer ${token}` } });
  const { root } = (await (await read('tileset.json')).json()) as { root: { content: { uri: string } } };
  const tile = Buffer.from(await (await read(root.content.uri)).arrayBuffer());
  assert.equal(tile.toString('latin1', 0, 4), 'pnts');
  const jsonLength = tile.readUInt32LE(12);
  const table = JSON.parse(tile.toString('utf8', 28, 28 + jsonLength)) as {
    POINTS_LENGTH: number;
    RGB?: { byteOffset: number };
  };
  return { table, binary: tile.subarray(28 + jsonLength) };
}

test('points get the colours of an orthophoto that is chosen on their page', { skip, timeout }, async () => {
  assert.equal((await readTile()).table.RGB, undefined);
  await use('colour', 'photo.tif');
  const { table, binary } = await readTile();
  assert.equal(table.POINTS_LENGTH, 400);
  const { byteOffset } = table.RGB!;
  for (let i = 0; i < 400; i++) {
    const colour = [...binary.subarray(byteOffset + 3 * i, byteOffset + 3 * i + 3)];
    assert.deepEqual(colour, [200, 20, 20]);
  }
});

test(
  'points get their distance to an older cloud that is chosen on their page',
  { skip, timeout },
  async () => {
    await use('compare', 'before.las');
    const { client } = await sharedService();
    const params = { projectId: bucket.projectId, datasourceId };
    const { properties } = await client.getProjectDatasource({ params });
    const names = namedStylesOf(properties).map(({ name }) => name);
    assert.ok(names.includes('Change') && names.includes('Colour'), names.join());
  },
);
