import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NewTask } from '@platen/contract/tasks';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterFile } from '../checks/clean-up.ts';
import { cityGml, houseXml } from '../processing/tiles-object/testing-models.ts';
import { findChromium, howToGetIt } from './chromium.ts';
import { isStarted, startTimeoutMs, watch } from './testing-engines.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const samples = process.env['PLATEN_SAMPLE_DATA'] ?? join(import.meta.dirname, '../../shared/data');
const jobTimeoutMs = 120_000;
const browser = executable === undefined ? undefined : await sharedBrowser(executable, { map: true });
afterFile(() => browser?.close());

/** A house of 40 m a side, north of Bayreuth. */
const house = cityGml(
  houseXml({
    id: 'town-hall',
    at: [690_000, 5_540_000, 300],
    size: [40, 40, 20],
    more: '<gen:stringAttribute name="Straße"><gen:value>Marktplatz 1</gen:value></gen:stringAttribute>',
  }),
);

test(
  'a city model becomes a map by what its inspection suggests, and a click on a house tells its attributes',
  { skip, timeout: 2 * startTimeoutMs },
  async () => {
    const made = await tilesetOf('town.gml', Buffer.from(house));
    const { bbox, properties } = made.datasource;
    assert.equal(properties!['featureCount'], 1);
    const page = await openApp(made, [(bbox![0]! + bbox![2]!) / 2, (bbox![1]! + bbox![3]!) / 2, 10], 120);
    try {
      const colours = await coloursInTheMiddle(page.page, ([r, g, b]) => r > 120 && r > g + 40 && r > b + 40);
      assert.ok(colours, 'a roof in the middle');
      await page.page.mouse.click(200, 175);
      await page.page.getByText('Marktplatz 1').first().waitFor({ timeout: startTimeoutMs });
      assert.deepEqual(page.seen.complaints, []);
    } finally {
      await page.close();
    }
  },
);

for (const [file, featureCount] of [
  ['tamana-49303425.gml', 242],
  ['delft.city.json', 570],
] as const) {
  const path = join(samples, 'city', file);
  test(
    `${file} becomes a tileset with all of its objects`,
    { skip: !existsSync(path) && 'the data are not here' },
    async () => {
      const { datasource } = await tilesetOf(file, await readFile(path));
      assert.equal(datasource.type, 'tileset');
      assert.equal(datasource.properties!['featureCount'], featureCount);
    },
  );
}

/** Uploads a model and runs the task that its inspection suggests. */
async function tilesetOf(key: string, content: Uint8Array) {
  const { client } = await sharedService();
  const body = { name: 'City', description: '', bbox: [5, 45, 15, 55] };
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({ body });
  const params = { projectId, dataBucketId };
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(content)]), key);
  await client.postProjectDataBucketUpload({ params, body: form });
  const found = await client.postProjectDataBucketInspect({ params, query: { key } });
  const suggestion = 'uses' in found ? found.suggestion : undefined;
  assert.equal(suggestion?.jobType, 'platenTilesObject');
  const task = {
    name: 'city',
    jobType: 'platenTilesObject',
    parameters: { datasource: { command: 'create', name: 'City' }, options: suggestion!.options },
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
  { projectId, datasourceId }: { readonly projectId: string; readonly datasourceId: string },
  groundPosition: readonly number[],
  distance: number,
) {
  const { client, url } = await sharedService();
  const params = { projectId };
  const { _id: moduleId } = await client.postProjectModule({
    params,
    body: {
      name: 'City',
      maps: [{ type: 'CesiumMap', name: 'globe' }],
      layers: [
        {
          type: 'CesiumTilesetLayer',
          name: 'city',
          datasourceId,
          activeOnStartup: true,
          properties: { featureInfo: 'balloon' },
        },
      ],
      featureInfo: [{ type: 'BalloonFeatureInfoView', name: 'balloon' }],
      viewpoints: [
        {
          type: 'Viewpoint',
          name: 'start',
          groundPosition,
          distance,
          heading: 0,
          pitch: -60,
          roll: 0,
          animate: false,
        },
      ],
      startingMapName: 'globe',
      startingViewpointName: 'start',
    } as never,
  });
  const { _id: appId } = await client.postProjectApp({
    params,
    body: { name: 'City', mapVersion: '^6', moduleIds: [moduleId] } as never,
  });
  await client.putProjectAppPublic({ params: { projectId, appId } });
  // the sun of viewers stands at 13:00 of their zone
  const context = await browser!.newContext({
    viewport: { width: 400, height: 350 },
    timezoneId: 'Europe/Berlin',
  });
  const page = await context.newPage();
  const seen = watch(page, url);
  await page.goto(`${url}/app/${appId}/`);
  await page.waitForFunction(isStarted, undefined, { timeout: startTimeoutMs, polling: 100 });
  return { page, seen, close: () => context.close() };
}

/** Waits until the middle of the page has a colour. */
async function coloursInTheMiddle(
  page: Page,
  isWanted: (colour: readonly [number, number, number]) => boolean,
): Promise<boolean> {
  for (const end = Date.now() + startTimeoutMs; Date.now() < end; await page.waitForTimeout(250)) {
    const { data } = await sharp(await page.screenshot())
      .extract({ left: 200, top: 175, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (isWanted([data[0]!, data[1]!, data[2]!])) return true;
  }
  return false;
}
