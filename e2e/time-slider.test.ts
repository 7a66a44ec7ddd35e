import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { findChromium, howToGetIt } from './chromium.ts';
import type { RunningService } from './processes.ts';
import { violationsOf } from './testing-axe.ts';
import { watch } from './testing-engines.ts';
import { openMap } from './testing-map-page.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';
import { unchanged } from '../checks/costly-tests.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const options = { skip, timeout: 240_000 };

/** Two squares at each place: one that is there from 1990 to 1999, above it one since 5 May 2001. */
const squares = JSON.stringify({
  type: 'FeatureCollection',
  features: [-20, 0, 20].flatMap((x) =>
    [
      { built: 1990, gone: '1999', colour: 'red' },
      { built: '05.05.2001', gone: null, colour: 'blue' },
    ].map((properties) => ({
      type: 'Feature',
      properties: { ...properties, x },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [x - 5, -5],
            [x + 5, -5],
            [x + 5, 5],
            [x - 5, 5],
            [x - 5, -5],
          ],
        ],
      },
    })),
  ),
});

const places = [-20, 0, 20] as const;
const byColour = {
  conditions: [
    ["${colour} === 'red'", "color('#ff0000')"],
    ['true', "color('#0000ff')"],
  ],
};
const onlyAt = (x: number) => `\${x} === ${x}`;
const declarative = (x: number) => ({
  type: 'DeclarativeStyleItem',
  declarativeStyle: { show: onlyAt(x), color: byColour },
});

/** Three layers: of features, of tiles, and of a plain style. */
async function publish({ client }: RunningService, mapVersion: string, map: object): Promise<string> {
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({
    body: { name: 'Time', description: '', bbox: [-180, -85, 180, 85] },
  });
  const params = { projectId };
  const form = new FormData();
  form.append('file', new Blob([squares]), 'squares.geojson');
  await client.postProjectDataBucketUpload({ params: { ...params, dataBucketId }, body: form });
  const { _id: datasourceId } = await client.postProjectDatasource({
    params,
    body: {
      type: 'geojson',
      name: 'Squares',
      sourceProperties: { type: 'internal', dataBucketId, dataBucketKey: 'squares.geojson' },
    },
  });
  const time = { attribute: 'built', until: 'gone', from: '1988', to: '2003', step: 'year' };
  const common = { activeOnStartup: true, properties: { time } };
  const layers = [
    { ...common, type: 'GeoJSONLayer', name: 'features', datasourceId, style: declarative(-20) },
    {
      ...common,
      type: 'VectorTileLayer',
      name: 'tiles',
      tileProvider: { type: 'StaticGeoJSONTileProvider', datasourceId },
      style: declarative(0),
    },
    {
      ...common,
      type: 'GeoJSONLayer',
      name: 'plain',
      datasourceId,
      style: { type: 'VectorStyleItem', fill: { color: '#00ff00' } },
      zIndex: -1,
    },
  ];
  const viewpoint = { groundPosition: [0, 0, 0], distance: 9_000_000, heading: 0, pitch: -90, roll: 0 };
  const { _id: moduleId } = await client.postProjectModule({
    params,
    body: {
      name: 'Time',
      maps: [{ name: 'map', ...map }],
      layers,
      viewpoints: [{ type: 'Viewpoint', name: 'start', animate: false, ...viewpoint }],
      startingViewpointName: 'start',
    } as never,
  });
  const body = { name: 'Time', mapVersion, moduleIds: [moduleId] };
  const { _id: appId } = await client.postProjectApp({ params, body });
  await client.putProjectAppPublic({ params: { projectId, appId } });
  return `/app/${appId}/`;
}

/** The colours at the three places: `red`, `blue`, `green`, or what else is there. */
async function coloursOf(page: Page): Promise<string[]> {
  const { data, info } = await sharp(await page.screenshot())
    .raw()
    .toBuffer({ resolveWithObject: true });
  const xs = await page.evaluate((degrees) => {
    const { vcs } = globalThis as unknown as { vcs: { getFirstApp(): ProjectingApp } };
    const { olMap } = vcs.getFirstApp().maps.activeMap;
    const { left, top } = olMap.getTargetElement().getBoundingClientRect();
    return degrees.map((x) => {
      const [across = 0, down = 0] = olMap.getPixelFromCoordinate([x * 111_319.49, 0]) ?? [];
      return [across + left, down + top] as const;
    });
  }, places);
  return xs.map(([x, y]) => {
    const at = (Math.round(y) * info.width + Math.round(x)) * info.channels;
    const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3);
    if (r > 200 && g < 80 && b < 80) return 'red';
    if (b > 200 && r < 80 && g < 80) return 'blue';
    return g > 200 && r < 80 && b < 80 ? 'green' : 'none';
  });
}

interface ProjectingApp {
  readonly maps: {
    readonly activeMap: {
      readonly olMap: {
        getPixelFromCoordinate(coordinate: number[]): number[] | null;
        getTargetElement(): HTMLElement;
      };
    };
  };
}

async function untilColoursAre(page: Page, expected: string[], what: string): Promise<void> {
  let last: string[] = [];
  for (const end = Date.now() + 30_000; Date.now() < end; await page.waitForTimeout(200)) {
    last = await coloursOf(page);
    if (last.join(' ') === expected.join(' ')) return;
  }
  assert.deepEqual(last, expected, what);
}

async function open(mapVersion: string, locale = 'en-GB') {
  const service = await sharedService();
  const path = await publish(service, mapVersion, { type: 'OpenlayersMap' });
  const browser = await sharedBrowser(executable!, { map: true });
  const context = await browser.newContext({ viewport: { width: 1000, height: 650 }, locale });
  const page = await context.newPage();
  const seen = watch(page, service.url);
  await openMap(page, service.url + path);
  await page.locator('#time').waitFor();
  return { page, seen, close: () => browser.close() };
}

async function setTime(page: Page, year: string): Promise<void> {
  const slider = page.locator('#time input[type=range]');
  await slider.focus();
  for (let i = 0; i < 40 && (await slider.getAttribute('aria-valuetext')) !== year; i++)
    await page.keyboard.press(
      Number(await slider.getAttribute('aria-valuetext')) < Number(year) ? 'ArrowRight' : 'ArrowLeft',
    );
  assert.equal(await page.locator('#time output').innerText(), year);
}

for (const [mapVersion, leftOut] of [
  ['^6.3', false],
  ['~6.2', unchanged('older engines')],
  ['~5.0', unchanged('older engines')],
] as const)
  test(
    `features are shown from their beginning to their end, in engine ${mapVersion}`,
    { ...options, skip: skip || leftOut },
    async () => {
      const { page, seen, close } = await open(mapVersion);
      try {
        assert.equal(await page.locator('#time output').innerText(), '1988');
        await untilColoursAre(page, ['none', 'none', 'none'], 'in 1988');
        await setTime(page, '1999');
        await untilColoursAre(page, ['red', 'red', 'green'], 'in 1999');
        await setTime(page, '2000');
        await untilColoursAre(page, ['none', 'none', 'none'], 'in 2000');
        await setTime(page, '2001');
        await untilColoursAre(page, ['blue', 'blue', 'green'], 'in 2001');
        if (mapVersion === '^6.3') {
          assert.deepEqual(await violationsOf(page, '#time'), []);
          await page.getByRole('checkbox', { name: 'All times' }).check();
          await setTime(page, '2000');
          await page.getByRole('button', { name: 'Play' }).click();
          await page.getByRole('button', { name: 'Pause' }).waitFor();
          await page.getByRole('button', { name: 'Play' }).waitFor();
          assert.equal(await page.locator('#time output').innerText(), '2003');
          await untilColoursAre(page, ['blue', 'blue', 'green'], 'at the end');
          assert.deepEqual(seen.complaints, []);
        }
      } finally {
        await close();
      }
    },
  );
