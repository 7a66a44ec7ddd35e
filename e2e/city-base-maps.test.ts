import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BaseMap } from '@platen/contract/base-maps';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { findChromium, howToGetIt } from './chromium.ts';
import { activeBaseMaps, showMap, startTimeoutMs, switchLayerOn } from './testing-engines.ts';
import { startMapServer, tileColour, wmsColour, wmtsColour } from './testing-map-server.ts';
import { openMap } from './testing-map-page.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const centre = { lon: 13.4, lat: 52.5 };

/** With one whose server is gone. */
const baseMapsOf = (server: string): BaseMap[] => {
  const attribution = { text: 'City of Auental' };
  const template = '{TileMatrix}/{TileCol}/{TileRow}.png';
  return [
    { id: 'xyz', name: 'Tiles', type: 'xyz', url: `${server}/tiles/{z}/{x}/{y}.png`, attribution },
    { id: 'wmts', name: 'WMTS', type: 'wmts', url: `${server}/wmts/${template}`, attribution },
    { id: 'wms', name: 'WMS', type: 'wms', url: `${server}/wms`, layer: 'plots', attribution },
    { id: 'ground', name: 'Terrain', type: 'terrain', url: `${server}/terrain`, attribution },
    { id: 'gone', name: 'Aerial photo', type: 'xyz', url: 'http://127.0.0.1:9/{z}/{x}/{y}.png', attribution },
  ];
};

test(
  'visitors choose between the tiles, the WMTS and the WMS of a city, on its terrain, and hear which does not answer',
  { skip, timeout: 300_000 },
  async (t) => {
    const server = await startMapServer({ wms: centre, tms: centre, geojson: centre });
    const service = await sharedService();
    const browser = await sharedBrowser(executable!, { map: true });
    t.after(async () => {
      await browser.close();
      await server.stop();
    });
    const { client, url } = service;
    const baseMaps = baseMapsOf(server.url);
    const { _id: projectId } = await client.postProject({
      body: { name: 'City', description: '', bbox: [13, 52, 14, 53], baseMaps },
    });
    const params = { projectId };
    const { _id: moduleId } = await client.postProjectModule({ params, body: frame as never });
    const { _id: appId } = await client.postProjectApp({
      params,
      body: { name: 'City', moduleIds: [moduleId], baseMaps: baseMaps.map(({ id }) => id) },
    });
    await client.putProjectAppPublic({ params: { projectId, appId } });
    const page = await (await browser.newContext({ viewport, locale: 'en-GB' })).newPage();
    await openMap(page, `${url}/app/${appId}/`);
    await untilColour(page, tileColour);
    for (const [id, colour] of [
      ['wmts', wmtsColour],
      ['wms', wmsColour],
    ] as const) {
      await page.evaluate(switchLayerOn, `platen-base-maps-${id}`);
      await untilColour(page, colour);
      const shown = await page.evaluate(activeBaseMaps);
      assert.deepEqual(
        shown.filter((name) => !name.endsWith('ground')),
        [`platen-base-maps-${id}`],
      );
    }
    await page.getByText('City of Auental').first().waitFor();
    await page.evaluate(switchLayerOn, 'platen-base-maps-gone');
    await page.getByText('The base map “Aerial photo” does not answer').waitFor();
    await page.evaluate(switchLayerOn, 'platen-base-maps-wms');
    await page.evaluate(showMap, 'globe');
    await untilColour(page, wmsColour);
    const asked = new Set(server.requests.map(({ path }) => path.replace(/\?.*/, '')));
    for (const path of ['/terrain/layer.json', '/terrain/0/1/0.terrain']) assert.ok(asked.has(path), path);
  },
);

/** Narrower pages show sources on request only. */
const viewport = { width: 640, height: 320 };

const frame = {
  name: 'City',
  maps: [
    { type: 'OpenlayersMap', name: 'flat' },
    { type: 'CesiumMap', name: 'globe' },
  ],
  viewpoints: [
    {
      type: 'Viewpoint',
      name: 'start',
      groundPosition: [centre.lon, centre.lat, 0],
      distance: 12_000,
      pitch: -90,
      animate: false,
    },
  ],
  startingMapName: 'flat',
  startingViewpointName: 'start',
};

/** In the middle of the map. */
async function untilColour(page: Page, expected: readonly number[]): Promise<void> {
  const middle = { left: viewport.width / 2, top: viewport.height / 2, width: 1, height: 1 };
  let last: number[] = [];
  for (const end = Date.now() + startTimeoutMs; Date.now() < end; await page.waitForTimeout(250)) {
    last = [
      ...(await sharp(await page.screenshot())
        .extract(middle)
        .removeAlpha()
        .raw()
        .toBuffer()),
    ];
    if (last.every((band, i) => Math.abs(band - expected[i]!) < 40)) return;
  }
  assert.deepEqual(last, expected.slice(0, 3));
}
