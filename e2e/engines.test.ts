import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CardDesign } from '@platen/contract/cards';
import { cardView } from '@platen/viewer/card-view';
import type { Browser, Page } from 'playwright-core';
import { findChromium, howToGetIt } from './chromium.ts';
import type { RunningService } from './processes.ts';
import {
  activeBaseMaps,
  globeLook,
  titleInHeader,
  drawnLayers,
  labelsOfGlobe,
  isStarted,
  showMap,
  startTimeoutMs,
  switchLayerOn,
  untilCentreIsRed,
  untilHatchIsSeen,
  untilPointIsSeen,
  viewport,
  watch,
} from './testing-engines.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';
import { afterFile } from '../checks/clean-up.ts';
import { unchanged } from '../checks/costly-tests.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;

/** Opened once for all engines. */
let opened: Promise<{ service: RunningService; browser: Browser; place: Place }> | undefined;
afterFile(async () => {
  const { browser } = (await opened) ?? {};
  await browser?.close();
});

async function open() {
  const service = await sharedService();
  const browser = await sharedBrowser(executable!, { map: true });
  return { service, browser, place: await makeModule(service) };
}

const calmLook = {
  hasAtmosphere: false,
  hasFog: false,
  isLit: false,
  ground: '#b8d2dc',
  hasStars: false,
  background: '#dfe9ee',
  screenError: 1.3,
};

const baseMaps = ['world-light', 'world-dark'];

const older = unchanged('older engines');
const engines = [
  ['^6', /^6\.3\./, false],
  ['~6.2', /^6\.2\./, older],
  ['^5', /^5\.0\./, older],
] as const;

for (const [mapVersion, expected, leftOut] of engines) {
  test(
    `the same module is shown on a flat map and on a globe by ${mapVersion}, within a policy without eval`,
    { skip: skip || leftOut, timeout: 2 * startTimeoutMs },
    async () => {
      const { service, browser, place } = await (opened ??= open());
      const { projectId, moduleId, datasourceId } = place;
      const params = { projectId };
      const { _id: appId } = await service.client.postProjectApp({
        params,
        body: { name: `Engine ${mapVersion}`, mapVersion, moduleIds: [moduleId], baseMaps },
      });
      await service.client.putProjectAppPublic({ params: { projectId, appId } });
      const context = await browser.newContext({ viewport });
      try {
        const page = await context.newPage();
        const seen = watch(page, service.url);
        const answer = await page.goto(`${service.url}/app/${appId}/`);
        assert.doesNotMatch(
          answer!.headers()['content-security-policy']!,
          /unsafe-eval'.*unsafe-eval|[^-]unsafe-eval/,
        );
        await page.waitForFunction(isStarted, undefined, { timeout: startTimeoutMs, polling: 100 });
        for (const map of ['flat', 'globe']) {
          await page.evaluate(showMap, map);
          await untilPointIsSeen(page);
          await untilCentreIsRed(page, map);
          await untilHatchIsSeen(page);
          if (map === 'globe') await untilLabelsAreApart(page);
          if (map !== 'flat') continue;
          const { text, links, pictures } = await cardAfterClick(page);
          assert.deepEqual(text, cardTexts);
          // engine 5 has no links
          assert.deepEqual(links, mapVersion === '^5' ? [] : ['https://example.org/']);
          assert.equal(pictures, 0);
        }
        const dark = page.waitForRequest(/\/basemap\/world-dark\//);
        await page.evaluate(switchLayerOn, 'platen-base-maps-world-dark');
        await dark;
        await page.evaluate(switchLayerOn, 'platen-base-maps-world-dark-detail');
        assert.deepEqual(await page.evaluate(activeBaseMaps), [
          'platen-base-maps-world-dark',
          'platen-base-maps-world-dark-detail',
        ]);
        assert.deepEqual(await page.evaluate(globeLook), calmLook);
        assert.equal(await page.evaluate(titleInHeader), `Engine ${mapVersion}`);
        assert.equal(await page.locator('#poster').count(), 0);
        const engine = new URL(await page.evaluate('document.baseURI')).pathname.split('/')[2]!;
        assert.match(engine, expected);
        assert.deepEqual(seen.complaints, []);
        assert(seen.paths.some((path) => path.startsWith(`/data/${datasourceId}/`)));
        assert(seen.paths.some((path) => path.startsWith('/basemap/world/')));
        const ofEngines = seen.paths.filter((path) => /^\/engines\/\d/.test(path));
        assert(ofEngines.every((path) => path.startsWith(`/engines/${engine}/`)));
        await requirePreloadsOfUse(page, ofEngines);
      } finally {
        await context.close();
      }
    },
  );
}

/** Of those that overlap, the one that comes first by its rank stays. */
async function untilLabelsAreApart(page: Page): Promise<void> {
  const expected = ['(first)', '(third)', 'area', 'second'];
  let labels: string[] = [];
  for (const end = Date.now() + startTimeoutMs; Date.now() < end; await page.waitForTimeout(250)) {
    labels = await page.evaluate(labelsOfGlobe);
    if (labels.join() === expected.join()) return;
  }
  assert.deepEqual(labels, expected);
}

interface Place {
  readonly projectId: string;
  readonly moduleId: string;
  readonly datasourceId: string;
}

const square = [
  [5, 40],
  [20, 40],
  [20, 60],
  [5, 60],
  [5, 40],
];

/** Attributes as strangers write them. */
const hostile = {
  name: '<img src=x onerror="x()"> {{name}} @:x | **y**',
  kind: null,
  'area (km²) "a.b"': 1234567.5,
  built: '2026-03-01',
  اسم: 'مدينة',
  site: 'javascript:alert(1)',
  page: 'https://example.org/',
};

const card: CardDesign = {
  place: 'balloon',
  title: 'name',
  rows: [
    { type: 'text', attribute: 'kind' },
    { type: 'text', attribute: 'area (km²) "a.b"', title: 'Area', unit: 'km²' },
    { type: 'date', attribute: 'built', title: 'Built' },
    { type: 'text', attribute: 'اسم' },
    { type: 'link', attribute: 'site', title: 'Site' },
    { type: 'link', attribute: 'page', title: 'Page', text: 'Open' },
  ],
};

/** What a click shows: in balloons the whole text, and where links lead. */
async function cardAfterClick(page: Page) {
  const { width, height } = page.viewportSize()!;
  await page.mouse.click(width / 2, height / 2);
  const shown = page.locator('.platen-card');
  await shown.getByText('Built').waitFor();
  const links = await shown.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  const text = await shown.evaluate((one) => (one as HTMLElement).innerText.split(/\s*\n\s*/));
  const pictures = await shown.locator('img').count();
  // it covers the middle of so small a map
  await shown.getByRole('button').first().click();
  await shown.waitFor({ state: 'detached' });
  return { text: text.filter(Boolean), links, pictures };
}

const cardTexts = [
  hostile.name,
  'Area',
  '1,234,568\u00a0km²',
  'Built',
  'March 1, 2026',
  'اسم',
  'مدينة',
  'Site',
  'javascript:alert(1)',
  'Page',
  'Open',
];

/** A red square over Europe. */
async function makeModule({ client }: RunningService): Promise<Place> {
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({
    body: { name: 'Engines', description: '', bbox: [-180, -85, 180, 85] },
  });
  const feature = {
    type: 'Feature',
    properties: hostile,
    geometry: { type: 'Polygon', coordinates: [square] },
  };
  const form = new FormData();
  form.append(
    'square.geojson',
    new Blob([JSON.stringify({ type: 'FeatureCollection', features: [feature] })]),
    'f',
  );
  await client.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
  const { _id: datasourceId } = await client.postProjectDatasource({
    params: { projectId },
    body: {
      name: 'Square',
      type: 'geojson',
      sourceProperties: { type: 'internal', dataBucketId, dataBucketKey: 'square.geojson' },
    },
  });
  const { _id: moduleId } = await client.postProjectModule({
    params: { projectId },
    body: {
      name: 'Square',
      maps: [
        { type: 'OpenlayersMap', name: 'flat' },
        { type: 'CesiumMap', name: 'globe' },
      ],
      layers: [
        {
          type: 'GeoJSONLayer',
          name: 'square',
          datasourceId,
          activeOnStartup: true,
          style: { type: 'VectorStyleItem', fill: { color: 'rgba(255,0,0,1)' } },
          vectorProperties: { altitudeMode: 'clampToGround' },
          properties: { featureInfo: 'card' },
        },
        {
          type: 'GeoJSONLayer',
          name: 'points',
          activeOnStartup: true,
          // one next to the square, and one on the other side of the globe, so far to the south that its circle, which
          // stands on it, would be in the middle
          features: [
            [-2, 50],
            [12.5 - 180, -70],
          ].map((coordinates) => ({
            type: 'Feature',
            properties: {},
            geometry: { type: 'Point', coordinates },
          })),
          style: {
            type: 'VectorStyleItem',
            image: { radius: 12, fill: { color: [0, 0, 255, 1] } },
            label: 'O',
            text: { font: '40px sans-serif', fill: { color: [0, 0, 255, 1] } },
          },
        },
        ...drawnLayers,
        {
          // engine 6.2 throws without levels, which the service adds
          type: 'VectorTileLayer',
          name: 'primitives',
          properties: { featureInfo: 'card' },
          activeOnStartup: true,
          renderer: 'primitive',
          tileProvider: { type: 'StaticGeoJSONTileProvider', datasourceId },
          style: { type: 'VectorStyleItem', fill: { color: 'rgba(255,0,0,1)' } },
        },
      ],
      contentTree: [{ type: 'LayerContentTreeItem', name: 'square', layerName: 'square', title: 'Square' }],
      viewpoints: [
        {
          type: 'Viewpoint',
          name: 'start',
          groundPosition: [12.5, 50, 0],
          distance: 3_000_000,
          heading: 0,
          pitch: -90,
          roll: 0,
          animate: false,
        },
      ],
      featureInfo: [cardView(card, { name: 'card' })],
      startingMapName: 'flat',
      startingViewpointName: 'start',
    } as never,
  });
  return { projectId, moduleId, datasourceId };
}

/** Whatever the page has fetched ahead was asked for once, and is used. */
async function requirePreloadsOfUse(page: Page, requested: readonly string[]): Promise<void> {
  const ahead = await page.$$eval('link[rel="modulepreload"], link[rel="preload"][as="style"]', (links) =>
    links.map((link) => new URL((link as HTMLLinkElement).href).pathname),
  );
  assert(ahead.length > 8, `${ahead.length} files`);
  for (const path of ahead) assert.equal(requested.filter((one) => one === path).length, 1, path);
  const scripts = requested.filter((path) => /\/assets\/[\w.-]+\.js$/.test(path));
  assert.deepEqual(
    scripts.filter((path) => !ahead.includes(path) && !path.endsWith('/vue.js')),
    [],
  );
}
