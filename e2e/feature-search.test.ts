import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { findChromium, howToGetIt } from './chromium.ts';
import type { RunningService } from './processes.ts';
import { watch } from './testing-engines.ts';
import { openMap, type EngineGlobals } from './testing-map-page.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';
import { serveTinily } from './testing-static.ts';
import { unpackBundle } from './testing-unpack.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const options = { skip, timeout: 240_000 };

const oaks = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    { name: 'Oak Street', at: [10, 50] },
    { name: 'Old Oak', at: [-70, -30] },
    { name: 'شارع الحمراء', at: [35, 33] },
    { name: '<img src=x onerror=alert(1)>', at: [0, 0] },
    { name: null, at: [1, 1] },
  ].map(({ name, at }) => ({
    type: 'Feature',
    properties: { name },
    geometry: { type: 'Point', coordinates: at },
  })),
});

/** A layer that is hidden at first, one without a search, and one whose file is missing. */
async function publish({ client }: RunningService, mapVersion: string): Promise<string> {
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({
    body: { name: 'Search', description: '', bbox: [-180, -85, 180, 85] },
  });
  const params = { projectId };
  const form = new FormData();
  form.append('file', new Blob([oaks]), 'oaks.geojson');
  await client.postProjectDataBucketUpload({ params: { ...params, dataBucketId }, body: form });
  const { _id: datasourceId } = await client.postProjectDatasource({
    params,
    body: {
      type: 'geojson',
      name: 'Oaks',
      sourceProperties: { type: 'internal', dataBucketId, dataBucketKey: 'oaks.geojson' },
    },
  });
  const layer = { type: 'GeoJSONLayer', datasourceId };
  const { _id: moduleId } = await client.postProjectModule({
    params,
    body: {
      name: 'Search',
      maps: [{ name: 'map', type: 'OpenlayersMap' }],
      featureInfo: [{ type: 'TableFeatureInfoView', name: 'table' }],
      layers: [
        { ...layer, name: 'oaks', properties: { searchBy: 'name', featureInfo: 'table' } },
        { ...layer, name: 'others' },
        { type: 'GeoJSONLayer', name: 'gone', url: '/missing.geojson', properties: { searchBy: 'name' } },
      ],
    } as never,
  });
  const body = { name: 'Search', mapVersion, moduleIds: [moduleId] };
  const { _id: appId } = await client.postProjectApp({ params, body });
  await client.putProjectAppPublic({ params: { projectId, appId } });
  return `/app/${appId}/`;
}

const street = JSON.stringify({
  type: 'Feature',
  properties: { name: 'Schulstraße' },
  geometry: {
    type: 'LineString',
    coordinates: [
      [13.3, 52.45],
      [13.34, 52.45],
    ],
  },
});

/** The id of a datasource of vector tiles, with one street in several tiles. */
async function makeTiles({ client }: RunningService) {
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({
    body: { name: 'Streets', description: '', bbox: [-180, -85, 180, 85] },
  });
  const params = { projectId };
  const form = new FormData();
  form.append('file', new Blob([street]), 'streets.geojson');
  await client.postProjectDataBucketUpload({ params: { ...params, dataBucketId }, body: form });
  await client.postProjectTask({
    params,
    body: {
      name: 'Streets',
      jobType: 'platenTilesVector',
      schedule: { type: 'immediate' },
      parameters: {
        datasource: { command: 'create', name: 'Streets' },
        options: { input: { type: 'internal', dataBucketId, dataBucketKey: 'streets.geojson' } },
      },
    },
  });
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(200)) {
    const { items } = await client.getProjectDatasources({ params, query: { type: ['vectortiles'] } });
    if (items[0]) return { projectId, datasourceId: items[0]._id };
  }
  throw new Error('The tiles were not made within a minute.');
}

/** The titles of what the search finds. */
const find = (page: Page, text: string) =>
  page.evaluate(async (query) => {
    const { search } = (globalThis as unknown as EngineGlobals).vcs.getFirstApp();
    return ((await search.search(query)) as { title: string }[]).map(({ title }) => title);
  }, text);

const untilSearchable = (page: Page) =>
  page.waitForFunction(() => (globalThis as unknown as EngineGlobals).vcs.getFirstApp().search.size > 0);

for (const mapVersion of ['^6.3', '~6.2', '~5.0'])
  test(`features are found by their names and shown, in engine ${mapVersion}`, options, async () => {
    const service = await sharedService();
    const path = await publish(service, mapVersion);
    const browser = await sharedBrowser(executable!, { map: true });
    try {
      const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
      const seen = watch(page, service.url);
      await openMap(page, service.url + path);
      await untilSearchable(page);
      assert.deepEqual(await find(page, 'الحمراء'), ['شارع الحمراء']);
      assert.deepEqual(await find(page, 'nowhere'), []);
      assert.deepEqual(await find(page, 'oak'), ['Oak Street', 'Old Oak']);
      const shown = await page.evaluate(async () => {
        const { search, layers, maps } = (globalThis as unknown as EngineGlobals).vcs.getFirstApp();
        const [, second] = search.currentResults.value as { clicked(): Promise<void> }[];
        await second!.clicked();
        const { groundPosition, distance } = await maps.activeMap!.getViewpoint();
        return { groundPosition, distance, isActive: layers.getByKey('oaks')!.active };
      });
      assert.ok(shown.isActive);
      // the table of the feature
      await page.getByText('Old Oak').first().waitFor();
      const [longitude = 0, latitude = 0] = shown.groundPosition!;
      assert.ok(
        Math.abs(longitude + 70) < 0.01 && Math.abs(latitude + 30) < 0.01,
        String(shown.groundPosition),
      );
      assert.ok(shown.distance < 2000, String(shown.distance));
      assert.deepEqual(
        seen.complaints.filter((text) => !text.includes('missing.geojson') && !text.includes('404')),
        [],
      );
    } finally {
      await browser.close();
    }
  });

test(
  'features of vector tiles are found once by the names that the service lists, also in a bundle on any web server',
  options,
  async (t) => {
    const service = await sharedService();
    const { client, url, token } = service;
    const { projectId, datasourceId } = await makeTiles(service);
    const params = { projectId };
    const layer = {
      type: 'VectorTileLayer',
      name: 'streets',
      datasourceId,
      properties: { searchBy: 'name' },
    };
    const maps = [{ name: 'map', type: 'OpenlayersMap' }];
    const module = { name: 'Streets', maps, layers: [layer] } as never;
    const { _id: moduleId } = await client.postProjectModule({ params, body: module });
    const body = { name: 'Streets', mapVersion: '^6.3', moduleIds: [moduleId] };
    const { _id: appId } = await client.postProjectApp({ params, body });
    const address = `${url}/data/${datasourceId}/names.json?attribute=`;
    assert.ok((await fetch(`${address}name`)).status >= 400, 'private');
    const headers = { authorization: `Bearer ${token}` };
    const listed = async (name: string) =>
      (await fetch(address + name, { headers })).json() as Promise<{ names: string }>;
    assert.match((await listed('name')).names, /^Schulstraße\t13\.32\d*\t52\.(?:45|449)\d*$/);
    assert.deepEqual(await listed('height'), { isCut: false, names: '' });
    assert.equal((await fetch(address, { headers })).status, 404);

    await client.putProjectAppPublic({ params: { projectId, appId } });
    const browser = await sharedBrowser(executable!, { map: true });
    try {
      const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
      const seen = watch(page, url);
      await openMap(page, `${url}/app/${appId}/`);
      await untilSearchable(page);
      await findStreet(page);
      assert.deepEqual(seen.complaints, []);

      const folder = await unpack(t, await client.getProjectAppDownload({ params: { projectId, appId } }));
      const server = await serveTinily(folder);
      t.after(() => server.stop());
      const offline = await (await browser.newContext({ locale: 'en-GB' })).newPage();
      const seenOffline = watch(offline, server.url);
      await openMap(offline, `${server.url}/Streets/`);
      await untilSearchable(offline);
      await findStreet(offline);
      assert.deepEqual(
        seenOffline.complaints.filter((text) => !text.includes('404')),
        [],
      );
      const isMissingTile = (text: string) => text.startsWith('404 ') && text.endsWith('.pbf');
      assert.deepEqual(
        seenOffline.complaints.filter((text) => !isMissingTile(text) && !text.includes('status of 404')),
        [],
      );
      assert.equal(seenOffline.paths.filter((path) => /names-[\da-f]{16}\.json$/.test(path)).length, 1);
    } finally {
      await browser.close();
    }
  },
);

/** The street is found by how its name is typed, and the map moves there. */
async function findStreet(page: Page): Promise<void> {
  assert.deepEqual(await find(page, 'schulstrasse'), ['Schulstraße']);
  const place = await page.evaluate(async () => {
    const { search, maps } = (globalThis as unknown as EngineGlobals).vcs.getFirstApp();
    const [first] = search.currentResults.value as { clicked(): Promise<void> }[];
    await first!.clicked();
    return (await maps.activeMap!.getViewpoint()).groundPosition!;
  });
  assert.ok(Math.abs(place[0]! - 13.32) < 0.01 && Math.abs(place[1]! - 52.45) < 0.01, String(place));
}

/** A folder with what the archive holds. */
async function unpack(t: TestContext, archive: Response): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-search-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await unpackBundle(archive, folder);
  return folder;
}
