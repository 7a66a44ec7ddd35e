import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { toolNames } from '@platen/contract/tools';
import { withHeading } from '@platen/styles/legend-heading';
import type { Page } from 'playwright-core';
import { findChromium, howToGetIt } from './chromium.ts';
import type { RunningService } from './processes.ts';
import { isStarted, startTimeoutMs, watch } from './testing-engines.ts';
import { textsOfPdf } from './testing-pdf.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';
import { unchanged } from '../checks/costly-tests.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;

/** The search is no plugin. */
const pluginTools = toolNames.filter((name) => name !== 'search');

test('each tool of an app opens on its page and does its work', { skip, timeout: 300_000 }, () =>
  useTools({ mapVersion: '^6.3', plugins: pluginTools.length }, [
    measure,
    draw,
    swipe,
    castShadows,
    compareViews,
    copyLink,
    print,
    drawProfile,
    findPlace,
  ]),
);

test(
  'on engine 6.2 an app has the tools that run there',
  { skip: skip || unchanged('older engines'), timeout: 300_000 },
  () =>
    useTools({ mapVersion: '~6.2', plugins: pluginTools.length - newTools.length }, [
      swipe,
      copyLink,
      findPlace,
    ]),
);

interface Opened {
  readonly mapVersion: string;
  /** How many the page loads. */
  readonly plugins: number;
}

/** Opens an app with all tools, and does with some what they are for. */
async function useTools(
  { mapVersion, plugins }: Opened,
  uses: readonly ((page: Page) => Promise<void>)[],
): Promise<void> {
  const service = await sharedService();
  const path = await publishWithTools(service, mapVersion);
  const browser = await sharedBrowser(executable!, { map: true });
  const context = await browser.newContext({
    viewport: { width: 1100, height: 700 },
    permissions: ['clipboard-read', 'clipboard-write'],
    locale: 'en-GB',
  });
  try {
    const page = await context.newPage();
    const seen = watch(page, service.url);
    await page.goto(service.url + path);
    await page.waitForFunction(isStarted, undefined, { timeout: startTimeoutMs, polling: 100 });
    assert.equal(await page.evaluate(pluginCount), plugins);
    await page.locator(action('toolboxToggleAction')).click();
    for (const use of uses) await use(page);
    assert.deepEqual(seen.complaints, []);
  } finally {
    await browser.close();
  }
}

/** Those that need a newer engine than 6.2. */
const newTools = ['measurement', 'draw'];

async function publishWithTools({ client }: RunningService, mapVersion: string): Promise<string> {
  const { _id: projectId } = await client.postProject({
    body: { name: 'Tools', description: '', bbox: [-180, -85, 180, 85] },
  });
  const params = { projectId };
  const viewpoint = { groundPosition: [13.4, 52.5, 0], distance: 40_000, heading: 0, pitch: -90, roll: 0 };
  const { _id: moduleId } = await client.postProjectModule({
    params,
    body: {
      name: 'Maps',
      maps: [
        { type: 'CesiumMap', name: 'globe' },
        { type: 'OpenlayersMap', name: 'flat' },
      ],
      layers: [named],
      viewpoints: [{ type: 'Viewpoint', name: 'start', animate: false, ...viewpoint }],
      startingMapName: 'globe',
      startingViewpointName: 'start',
    },
  });
  const body = { name: 'Tools', mapVersion, moduleIds: [moduleId], tools: [...toolNames] };
  const { _id: appId, warnings } = await client.postProjectApp({ params, body });
  assert.equal(warnings!.length, mapVersion === '^6.3' ? 0 : newTools.length);
  await client.putProjectAppPublic({ params: { projectId, appId } });
  return `/app/${appId}/`;
}

/** Has a source and a legend, and nothing that tools could click. */
const named = {
  type: 'GeoJSONLayer',
  name: 'districts',
  features: [],
  activeOnStartup: true,
  properties: {
    title: 'Districts',
    attributions: { provider: 'City of Auental' },
    legend: [
      {
        type: 'StyleLegendItem',
        rows: withHeading(
          [{ type: 'FillLegendRow', title: 'Parks', fill: { color: [0, 128, 0, 1] } }],
          { attribute: 'use' },
          [],
        ),
      },
    ],
  },
};

interface Feature {
  getGeometry(): { getType(): string } | undefined;
}

interface ViewerApp {
  readonly plugins: { readonly size: number };
  readonly layers: Iterable<{ getFeatures?(): readonly Feature[] }>;
  readonly maps: {
    readonly activeMap: {
      getScene(): { readonly shadowMap: { readonly enabled: boolean } };
      getViewpoint(): Promise<{ groundPosition?: readonly number[]; distance?: number } | null>;
    };
  };
}

const action = (name: string) => `[data-action-name="${name}"]`;
const button = (toolId: string) => `[data-toolbox-id="${toolId}"] button`;

/** Runs in the page. */
function pluginCount(): number {
  return (globalThis as unknown as { vcs: { getFirstApp(): ViewerApp } }).vcs.getFirstApp().plugins.size;
}

/** Runs in the page. */
function hasShadows(): boolean {
  const { vcs } = globalThis as unknown as { vcs: { getFirstApp(): ViewerApp } };
  return vcs.getFirstApp().maps.activeMap.getScene().shadowMap.enabled;
}

/** Runs in the page: whether a layer of the tool has a line. */
function hasDrawing(): boolean {
  const { vcs } = globalThis as unknown as { vcs: { getFirstApp(): ViewerApp } };
  const features = [...vcs.getFirstApp().layers].flatMap((layer) => layer.getFeatures?.() ?? []);
  return features.some((feature) => feature.getGeometry()?.getType() === 'LineString');
}

async function choose(page: Page, current: string, wanted: string): Promise<void> {
  await page.locator(`[data-toolbox-id]:has(${action(current)}) .vcs-toolbox-action-select`).click();
  await page.locator(`.v-overlay--active ${action(wanted)}`).click();
}

/** A line to the east; the engine tells single clicks from double ones by the time between them. */
async function drawLine(page: Page): Promise<void> {
  for (const x of [450, 650]) {
    await page.mouse.move(x, 419);
    await page.waitForTimeout(900);
    await page.mouse.click(x, 420);
    await page.waitForTimeout(900);
  }
  await page.mouse.dblclick(650, 420);
}

const window = (page: Page, heading: string) => page.locator('.v-sheet', { hasText: heading }).first();

async function measure(page: Page): Promise<void> {
  await choose(page, 'Position2D', 'Distance2D');
  await page.getByText('Click on the map to start measuring').waitFor();
  await drawLine(page);
  const measured = window(page, 'Temporary measurement').getByText(/^[1-9]\d*\.\d\d k?m$/);
  await measured.waitFor();
  await page.locator(action('Distance2D')).first().click();
}

async function draw(page: Page): Promise<void> {
  await choose(page, 'Polygon', 'LineString');
  await drawLine(page);
  await page.waitForFunction(hasDrawing);
  await page.locator(action('LineString')).first().click();
}

async function swipe(page: Page): Promise<void> {
  await page.locator(button('@vcmap/swipe-tool')).click();
  await window(page, 'Swipe content').getByText('Base map').waitFor();
  await page.locator(button('@vcmap/swipe-tool')).click();
}

async function castShadows(page: Page): Promise<void> {
  await page.locator(button('shadow_tool_window_id')).click();
  await page.waitForFunction(hasShadows);
  await page.locator(button('shadow_tool_window_id')).click();
}

async function compareViews(page: Page): Promise<void> {
  const canvases = await page.locator('canvas').count();
  await page.locator(button('multi-view')).click();
  await page.waitForFunction((before) => document.querySelectorAll('canvas').length > before, canvases);
  await page.locator(button('multi-view')).click();
}

async function drawProfile(page: Page): Promise<void> {
  await page.locator(button('HeightProfileEditorComponent')).click();
  await drawLine(page);
  const settings = page.locator('.v-sheet', { hasText: 'Reference Surface' }).last();
  // each point is asked for by a request of its own
  await settings.locator('input[type="number"]').first().fill('2000');
  await settings.getByRole('button', { name: 'Start calculation' }).click();
  await page.locator('.apexcharts-canvas').waitFor();
}

async function copyLink(page: Page): Promise<void> {
  await page.locator('#vcs-navbar-share-menu-activator').click();
  await page.locator(action('createLink.title')).click();
  await page.getByText('Application link copied to clipboard').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /\/app\/[^/]+\/\?state=/);
}

async function print(page: Page): Promise<void> {
  await page.locator('#vcs-navbar-share-menu-activator').click();
  await page.locator(action('print.pdf.header')).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Create' }).click();
  const content = await readFile(await (await download).path());
  assert.equal(content.subarray(0, 5).toString(), '%PDF-');
  const texts = textsOfPdf(content);
  for (const text of ['© Natural Earth | © City of Auental', 'Districts', 'Use', 'Parks'])
    assert.ok(texts.includes(text), `“${text}” is not on paper, but ${texts.join(' / ')}`);
}

async function findPlace(page: Page): Promise<void> {
  await page.locator(action('search.title')).click();
  await page.keyboard.type('muenchen');
  await page.getByText('München, Germany', { exact: true }).waitFor();
  await page.keyboard.press('Enter');
  // results have it, suggestions do not
  await page.locator('.button-container').waitFor();
  await page.locator('.v-list-item', { hasText: 'München, Germany' }).first().click();
  await page.waitForFunction(isAbove, [11.575, 48.137] as const);
  await page.getByText('GeoNames').first().waitFor();
}

/** Runs in the page: whether the map shows this place from 80 km at most. */
async function isAbove([longitude, latitude]: readonly [number, number]): Promise<boolean> {
  const { vcs } = globalThis as unknown as { vcs: { getFirstApp(): ViewerApp } };
  const { groundPosition, distance = 0 } = (await vcs.getFirstApp().maps.activeMap.getViewpoint()) ?? {};
  const [x = 0, y = 0] = groundPosition ?? [];
  return Math.hypot(x - longitude, y - latitude) < 0.1 && distance < 81_000;
}
