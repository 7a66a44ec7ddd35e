import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { DatasourceType } from '@platen/contract/datasource-types';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { findChromium, howToGetIt } from './chromium.ts';
import type { RunningService } from './processes.ts';
import { cubeArchive, squareTiles, type Point } from './testing-archives.ts';
import { isComplete, type EngineApp } from './testing-globe.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';

const executable = findChromium();
const shots = fileURLToPath(new URL('shots/', import.meta.url));
const mapTimeoutMs = 240_000;
/** Parts of the picture that must change when a layer goes, of its 320 × 240 pixels. */
const minPixels = 375;
const hiddenTimeoutMs = 60_000;

interface Data {
  readonly type: DatasourceType;
  readonly key: string;
  readonly content: Buffer;
  /** Additions to the layer from the API. */
  readonly more?: object;
}

interface Look {
  readonly name: string;
  readonly at: Point;
  /** Distance in metres. */
  readonly distance: number;
  readonly data: readonly Data[];
}

const skip = executable === undefined && howToGetIt;

test('VC Map shows a 3TZ, a zip file of a tileset and MBTiles', { skip, timeout: 600_000 }, async (t) => {
  const at = { lon: 13.4, lat: 52.5 };
  const data: Data[] = [
    { type: 'tileset', key: 'red.3tz', content: cubeArchive({ ...at, lon: 13.375 }, [1, 0, 0, 1], '3tz') },
    { type: 'tileset', key: 'green.zip', content: cubeArchive({ ...at, lon: 13.425 }, [0, 1, 0, 1], 'zip') },
    {
      type: 'vectortiles',
      key: 'squares.mbtiles',
      content: await squareTiles(at, [11, 12, 13]),
      more: { style: { type: 'VectorStyleItem', fill: { color: 'rgba(255,0,255,1)' } } },
    },
  ];
  await show(t, { name: 'archives', at, distance: 9000, data });
});

const slpk = fileURLToPath(new URL('../../shared/data/i3s/DA12_subset.slpk', import.meta.url));
const needsSlpk = existsSync(slpk) ? skip : 'needs the SLPK of ../shared/data';

test('VC Map shows an SLPK', { skip: needsSlpk, timeout: 600_000 }, async (t) => {
  const data: Data[] = [{ type: 'i3s', key: 'buildings.slpk', content: readFileSync(slpk) }];
  await show(t, { name: 'slpk', at: { lon: -74.0113, lat: 40.7125 }, distance: 1500, data });
});

/** Publishes the data as the layers that the API gives, opens the app, and takes layer after layer away again. */
async function show(t: TestContext, look: Look): Promise<void> {
  const service = await sharedService();
  const browser = await sharedBrowser(executable!, { map: true });
  try {
    const address = await publish(service, look);
    const page = await browser.newPage({ viewport: { width: 320, height: 240 }, locale: 'en-GB' });
    const complaints: string[] = [];
    const served: string[] = [];
    const begun = new Set<string>();
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('response', (response) => {
      const [, root, id, ...rest] = new URL(response.url()).pathname.split('/');
      if (root !== 'data') return;
      begun.add(id!);
      served.push(`${response.status()} ${rest.join('/')}`);
    });
    await page.goto(address);
    const keys = look.data.map(({ key }) => key);
    // a globe that has asked for nothing yet calls itself complete
    for (const end = Date.now() + mapTimeoutMs; begun.size < keys.length && Date.now() < end;)
      await page.waitForTimeout(250);
    await page.waitForFunction(isComplete, keys, { timeout: mapTimeoutMs, polling: 1000 });
    await mkdir(shots, { recursive: true });
    let before = await stillPicture(page);
    await writeFile(`${shots}${look.name}.png`, before);
    for (const key of keys) {
      await page.evaluate(hide, key);
      let changed = 0;
      for (const end = Date.now() + hiddenTimeoutMs; Date.now() < end && changed <= minPixels;) {
        const after = await stillPicture(page);
        changed = await countChanges(before, after);
        if (changed > minPixels) before = after;
      }
      t.diagnostic(`${key}: ${changed} pixels`);
      assert.ok(changed > minPixels, `${key} was to be seen: ${changed} pixels; ${served.join(', ')}`);
    }
    assert.deepEqual(complaints, []);
    assert.deepEqual(
      served.filter((line) => !/^(200|204|206|304) /.test(line)),
      [],
    );
  } finally {
    await browser.close();
  }
}

async function publish({ client, url }: RunningService, { name, at, distance, data }: Look): Promise<string> {
  const project = await client.postProject({ body: { name, description: name, bbox: [-180, -85, 180, 85] } });
  const params = { projectId: project._id };
  const dataBucketId = project.defaultDataBucketId;
  const form = new FormData();
  for (const { key, content } of data) form.append('file', new Blob([new Uint8Array(content)]), key);
  await client.postProjectDataBucketUpload({ params: { ...params, dataBucketId }, body: form });
  const layers: object[] = [];
  for (const { type, key, more } of data) {
    const sourceProperties = { type: 'internal', dataBucketId, dataBucketKey: key } as const;
    const { _id: datasourceId } = await client.postProjectDatasource({
      params,
      body: { name: key, type, sourceProperties },
    });
    const layer = await client.getProjectDatasourceConfig({ params: { ...params, datasourceId } });
    layers.push({ ...layer, ...more, name: key, activeOnStartup: true });
  }
  const module = {
    name,
    layers,
    maps: [{ type: 'CesiumMap', name: 'globe' }],
    viewpoints: [
      {
        type: 'Viewpoint',
        name: 'start',
        groundPosition: [at.lon, at.lat, 0],
        distance,
        heading: 0,
        pitch: -90,
        roll: 0,
        animate: false,
      },
    ],
    startingMapName: 'globe',
    startingViewpointName: 'start',
  };
  const { _id: moduleId } = await client.postProjectModule({ params, body: module as never });
  const body = { name, description: name, mapVersion: '^6.3.0', moduleIds: [moduleId] };
  const { _id: appId } = await client.postProjectApp({ params, body });
  await client.putProjectAppPublic({ params: { ...params, appId } });
  return `${url}/app/${appId}/`;
}

/** A screenshot, once it has stayed the same for some frames. */
async function stillPicture(page: Page): Promise<Buffer> {
  const end = Date.now() + mapTimeoutMs;
  for (let [last, times] = [await page.screenshot(), 0]; Date.now() < end;) {
    await page.waitForTimeout(750);
    const picture = await page.screenshot();
    times = (await countChanges(last, picture)) === 0 ? times + 1 : 0;
    if (times === 2) return picture;
    last = picture;
  }
  throw new Error('The picture does not come to rest.');
}

/** Pixels whose colour is clearly another. */
async function countChanges(before: Buffer, after: Buffer): Promise<number> {
  const [one, other] = await Promise.all(
    [before, after].map((picture) => sharp(picture).removeAlpha().raw().toBuffer()),
  );
  let count = 0;
  for (let i = 0; i < one!.length; i += 3) {
    if ([i, i + 1, i + 2].some((at) => Math.abs(one![at]! - other![at]!) > 40)) count++;
  }
  return count;
}

/** Runs in the page. */
function hide(name: string): void {
  const { vcs } = globalThis as unknown as { vcs: { getFirstApp: () => EngineApp } };
  for (const layer of vcs.getFirstApp().layers) if (layer.name === name) layer.deactivate();
}
