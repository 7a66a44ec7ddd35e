import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { ColourRule } from '@platen/contract/map-styles';
import { styleItem } from '@platen/styles/style-item';
import { findChromium, howToGetIt } from './chromium.ts';
import { isStarted, startTimeoutMs, watch } from './testing-engines.ts';
import { untilMiddle } from './testing-globe-app.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';
import { serveTinily } from './testing-static.ts';
import { unpackBundle } from './testing-unpack.ts';

const executable = findChromium();

const colours: Readonly<Record<string, ColourRule>> = {
  'By use': {
    type: 'categories',
    attribute: 'use',
    heading: 'Kind',
    categories: [{ values: ['park'], colour: '#00a000' }],
    others: { colour: '#888888' },
  },
  'By height': {
    type: 'classes',
    attribute: 'height',
    breaks: [10, 15, 20],
    colours: ['#0000c0', '#c0c000'],
  },
  'By owner': {
    type: 'categories',
    attribute: 'owner',
    categories: [{ values: ['city'], colour: '#a000a0' }],
    others: { colour: '#c00000' },
  },
};

/** A park of a height, whose owner an update has taken away. */
const park = JSON.stringify({
  type: 'Feature',
  properties: { use: 'park', height: 12 },
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [13, 52],
        [14, 52],
        [14, 53],
        [13, 53],
        [13, 52],
      ],
    ],
  },
});

test(
  'a downloaded map lets visitors switch the styles of its data, one by an attribute that is gone, and has their legend and source',
  { skip: executable === undefined && howToGetIt, timeout: 240_000 },
  async (t) => {
    const server = await serveTinily(await download(t));
    t.after(() => server.stop());
    const browser = await sharedBrowser(executable!, { map: true });
    t.after(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1200, height: 600 }, locale: 'en-GB' });
    const seen = watch(page, server.url);
    await page.goto(`${server.url}/Parks/`);
    await page.waitForFunction(isStarted, undefined, { timeout: startTimeoutMs, polling: 100 });
    await page.getByText('Parks office', { exact: false }).first().waitFor();
    const legend = (row: string) => page.getByText(row, { exact: true }).last().waitFor();
    const choose = async (style: string) => {
      await page.locator('[data-action-name=StyleSelector]').click();
      await page.getByText(style, { exact: true }).first().click();
    };
    await untilMiddle(page, { name: 'green' }, ([red, green, blue]) => green > red + 40 && green > blue + 40);
    await legend('park');
    await legend('Kind');
    // its row has no sample
    assert.equal(await page.locator('.style-legend-item .v-list-item__prepend').first().isVisible(), false);
    await choose('By height');
    await untilMiddle(page, { name: 'blue' }, ([red, green, blue]) => blue > red + 40 && blue > green + 40);
    await choose('By owner');
    await untilMiddle(page, { name: 'red' }, ([red, green, blue]) => red > green + 40 && red > blue + 40);
    await legend('city');
    assert.deepEqual(seen.complaints, []);
  },
);

/** The folder of a map with three styles, without its service. */
async function download(t: TestContext): Promise<string> {
  const { client } = await sharedService();
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({
    body: { name: 'Parks', description: '', bbox: [13, 52, 14, 53] },
  });
  const params = { projectId };
  const form = new FormData();
  form.append('file', new Blob([park]), 'parks.geojson');
  await client.postProjectDataBucketUpload({ params: { ...params, dataBucketId }, body: form });
  const words = { locale: 'en', others: 'Other', noValue: 'No value', attributes: [] };
  const styles = Object.entries(colours).map(([name, colour]) =>
    styleItem({ colour, opacity: 1 }, 'area', words, { name }),
  );
  const { _id: datasourceId } = await client.postProjectDatasource({
    params,
    body: {
      type: 'geojson',
      name: 'Parks',
      sourceProperties: { type: 'internal', dataBucketId, dataBucketKey: 'parks.geojson' },
      properties: { styles, attribution: 'Parks office' },
    },
  });
  const view = { groundPosition: [13.5, 52.5, 0], distance: 200_000, heading: 0, pitch: -90, roll: 0 };
  const { _id: moduleId } = await client.postProjectModule({
    params,
    body: {
      name: 'Parks',
      maps: [{ type: 'OpenlayersMap', name: 'plane' }],
      layers: [{ type: 'GeoJSONLayer', name: 'parks', datasourceId, activeOnStartup: true }],
      contentTree: [
        { type: 'LayerContentTreeItem', name: 'parks', layerName: 'parks', properties: { title: 'Parks' } },
      ],
      uiConfig: ['contentTreeActiveOnStartup', 'openLegendOnAdd'].map((name) => ({ name, value: true })),
      viewpoints: [{ type: 'Viewpoint', name: 'start', ...view }],
      startingMapName: 'plane',
      startingViewpointName: 'start',
    } as never,
  });
  const { _id: appId } = await client.postProjectApp({
    params,
    body: { name: 'Parks', mapVersion: '^6.3', moduleIds: [moduleId] },
  });
  const reply = await client.getProjectAppDownload({ params: { projectId, appId } });
  const folder = await mkdtemp(join(tmpdir(), 'platen-named-styles-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await unpackBundle(reply, folder);
  return folder;
}
