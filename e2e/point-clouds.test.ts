import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NewTask } from '@platen/contract/tasks';
import { keysRecord, writeLas } from '@platen/formats/las/testing';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterFile } from '../checks/clean-up.ts';
import { findChromium, howToGetIt } from './chromium.ts';
import { isStarted, startTimeoutMs, watch } from './testing-engines.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const jobTimeoutMs = 120_000;
const browser = executable === undefined ? undefined : await sharedBrowser(executable, { map: true });
afterFile(() => browser?.close());

const utm = keysRecord([
  [1024, 0, 1, 1],
  [3072, 0, 1, 25832],
  [4096, 0, 1, 7837],
]);

/** A blue plain of 60 m, all of it ground, in four densities. */
const plain = Array.from({ length: 160_000 }, (_, i) => ({
  x: 690_000 + (i % 400) * 0.15,
  y: 5_540_000 + Math.floor(i / 400) * 0.15,
  z: 300,
  intensity: i % 2 === 0 ? 100 : 4000,
  classification: i === 0 ? 6 : 2,
  colour: [0, 0, 65_535] as const,
}));

test(
  'a point cloud becomes a map by what its inspection suggests, whose style changes to classes and back',
  { skip, timeout: 3 * startTimeoutMs },
  async () => {
    const made = await tilesetOf(writeLas({ pointFormat: 2, points: plain, records: [utm] }));
    const { bbox, properties } = made.datasource;
    assert.equal(properties!['pointCount'], 160_000);
    const middle = [(bbox![0]! + bbox![2]!) / 2, (bbox![1]! + bbox![3]!) / 2, 347];
    const { page, seen, close } = await openApp(made, middle);
    try {
      await untilColour(page, 'blue', ([red, , blue]) => blue > 60 && red < 60);
      await page.evaluate(setStyle, 'Classification');
      // the brown of ground
      await untilColour(
        page,
        'brown',
        ([red, green, blue]) => red > blue + 30 && red > green && green > blue,
      );
      await page.evaluate(setStyle, 'Intensity');
      await untilColour(page, 'grey', (colour) => Math.max(...colour) - Math.min(...colour) < 12);
      await page.evaluate(setStyle, 'Colour');
      await untilColour(page, 'blue again', ([red, , blue]) => blue > 60 && red < 60);
      assert.deepEqual(seen.complaints, []);
    } finally {
      await close();
    }
  },
);

/** Runs in the page. */
async function setStyle(name: string): Promise<void> {
  const { vcs } = globalThis as unknown as { vcs: { getFirstApp(): EngineApp } };
  const app = vcs.getFirstApp();
  for (const layer of app.layers) await layer.setStyle?.(app.styles.getByKey(name));
}

interface EngineApp {
  readonly layers: Iterable<{ readonly setStyle?: (style: unknown) => Promise<void> | void }>;
  readonly styles: { getByKey(name: string): unknown };
}

/** Uploads a point cloud and runs the task that its inspection suggests. */
async function tilesetOf(content: Uint8Array) {
  const { client } = await sharedService();
  const body = { name: 'Points', description: '', bbox: [5, 45, 15, 55] };
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({ body });
  const params = { projectId, dataBucketId };
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(content)]), 'plain.las');
  await client.postProjectDataBucketUpload({ params, body: form });
  const found = await client.postProjectDataBucketInspect({ params, query: { key: 'plain.las' } });
  const suggestion = 'uses' in found ? found.suggestion : undefined;
  assert.equal(suggestion?.jobType, 'platenTilesPointcloud');
  const task = {
    name: 'points',
    jobType: 'platenTilesPointcloud',
    parameters: { datasource: { command: 'create', name: 'Points' }, options: suggestion!.options },
  };
  const { _id: taskId } = await client.postProjectTask({ params, body: task as NewTask });
  for (const end = Date.now() + jobTimeoutMs; Date.now() < end; await sleep(100)) {
    const { items } = await client.getProjectJobs({ params, query: { taskId: [taskId] } });
    const [job] = items;
    assert.notEqual(job?.state, 'failed', job?.errorMessage ?? '');
    const datasourceId = job?.state === 'succeeded' ? job.outputs.datasourceId : undefined;
    if (datasourceId === undefined) continue;
    const datasource = await client.getProjectDatasource({ params: { projectId, datasourceId } });
    return { projectId, datasourceId, datasource };
  }
  throw new Error(`The job took more than ${jobTimeoutMs} ms.`);
}

async function openApp(
  { projectId, datasourceId, datasource }: Awaited<ReturnType<typeof tilesetOf>>,
  groundPosition: readonly number[],
) {
  const { client, url } = await sharedService();
  const params = { projectId };
  const layer = await client.getProjectDatasourceConfig({ params: { projectId, datasourceId } });
  assert.equal(layer['type'], 'PointCloudLayer');
  const viewpoint = { distance: 60, heading: 0, pitch: -60, roll: 0, animate: false };
  const { _id: moduleId } = await client.postProjectModule({
    params,
    body: {
      name: 'Points',
      maps: [{ type: 'CesiumMap', name: 'globe' }],
      layers: [{ ...layer, activeOnStartup: true }],
      styles: datasource.properties!['styles'],
      viewpoints: [{ type: 'Viewpoint', name: 'start', groundPosition, ...viewpoint }],
      startingMapName: 'globe',
      startingViewpointName: 'start',
    } as never,
  });
  const { _id: appId } = await client.postProjectApp({
    params,
    body: { name: 'Points', mapVersion: '^6', moduleIds: [moduleId] } as never,
  });
  await client.putProjectAppPublic({ params: { projectId, appId } });
  const context = await browser!.newContext({ viewport: { width: 400, height: 350 } });
  const page = await context.newPage();
  const seen = watch(page, url);
  await page.goto(`${url}/app/${appId}/`);
  await page.waitForFunction(isStarted, undefined, { timeout: startTimeoutMs, polling: 100 });
  return { page, seen, close: () => context.close() };
}

type Colour = readonly [red: number, green: number, blue: number];

/** Waits until a square in the middle of the page has a colour, without a hole; the viewer darkens edges between points. */
async function untilColour(page: Page, name: string, isWanted: (colour: Colour) => boolean): Promise<void> {
  const side = 40;
  let last: Colour[] = [];
  for (const end = Date.now() + startTimeoutMs; Date.now() < end; await page.waitForTimeout(250)) {
    const { data } = await sharp(await page.screenshot())
      .extract({ left: 180, top: 155, width: side, height: side })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    last = Array.from({ length: side * side }, (_, i) => [data[i * 3]!, data[i * 3 + 1]!, data[i * 3 + 2]!]);
    if (last.every(isWanted)) return;
  }
  const path = process.env['PLATEN_TEST_PICTURES'];
  if (path !== undefined) await writeFile(`${path}/${name}.png`, await page.screenshot());
  throw new Error(`The middle of the map is not ${name}, but ${last[0]!.join(', ')} and other colours.`);
}
