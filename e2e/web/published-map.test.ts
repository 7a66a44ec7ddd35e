import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { findChromium, howToGetIt } from '../chromium.ts';
import type { RunningService } from '../processes.ts';
import { isStarted, startTimeoutMs, watch } from '../testing-engines.ts';
import { openInterface } from './testing-interface.ts';
import { mouseDriver } from './testing-user-driver.ts';
import { wordsOf } from './testing-words.ts';
import { sharedBrowser, sharedService } from '../testing-shared.ts';
import { afterFile } from '../../checks/clean-up.ts';
import { unchanged } from '../../checks/costly-tests.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const timeout = 240_000;

/** Twelve districts of three uses, in rows of four. */
const districts = JSON.stringify({
  type: 'FeatureCollection',
  features: Array.from({ length: 12 }, (_, i) => {
    const [west, south] = [13 + (i % 4) / 10, 52 + Math.floor(i / 4) / 10];
    const [east, north] = [west + 0.1, south + 0.1];
    return {
      type: 'Feature',
      properties: { name: `District ${i}`, use: ['park', 'housing', 'water'][i % 3], inhabitants: 100 * i },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [west, south],
            [east, south],
            [east, north],
            [west, north],
            [west, south],
          ],
        ],
      },
    };
  }),
});

let service: RunningService;
let browser: Browser;
let published: { readonly projectId: string; readonly appId: string };

before(async () => {
  if (skip) return;
  service = await sharedService();
  browser = await sharedBrowser(executable!, { map: true });
  published = await publishByHand();
});
afterFile(() => browser?.close());

/** Drops the file and publishes it with what is suggested; then says whose the data is. */
async function publishByHand() {
  const { client, url } = service;
  const words = wordsOf('en');
  const { _id: projectId } = await client.postProject({
    body: { name: 'Published', description: '', bbox: [13, 52, 14, 53] },
  });
  const params = { projectId };
  const { page, context } = await openInterface(browser, service);
  const user = mouseDriver(page);
  await page.goto(`${url}/p/${projectId}/files`);
  await page.locator('h1').waitFor();
  await user.upload({ name: 'districts.geojson', content: districts });
  await user.press(page.getByRole('button', { name: words('preview.next.publish') }));
  const dialog = page.getByRole('dialog', { name: words('quick-publish.title') });
  await user.press(dialog.getByRole('button', { name: words('quick-publish.action') }));
  await dialog.getByRole('link', { name: words('quick-publish.openMap') }).waitFor();
  await context.close();
  const [datasource] = (await client.getProjectDatasources({ params })).items;
  const { _id: datasourceId, name, description, properties } = datasource!;
  await client.putProjectDatasource({
    params: { projectId, datasourceId },
    body: { name, description, properties: { ...properties, attribution: 'City of Auental' } },
  });
  const [app] = (await client.getProjectApps({ params })).items;
  return { projectId, appId: app!._id };
}

/** Opens the public map on an engine, as a visitor. */
async function open(mapVersion: string, viewport: { readonly width: number; readonly height: number }) {
  const params = published;
  const { name, moduleIds, baseMaps } = await service.client.getProjectApp({ params });
  const body = { name, moduleIds, mapVersion, ...(baseMaps && { baseMaps }) };
  const { url } = await service.client.putProjectApp({ params, body });
  const context = await browser.newContext({ viewport, locale: 'en-GB' });
  const page = await context.newPage();
  const seen = watch(page, service.url);
  await page.goto(new URL(url, service.url).href);
  await page.waitForFunction(isStarted, undefined, { timeout: startTimeoutMs, polling: 100 });
  return { page, seen, close: () => context.close() };
}

for (const [mapVersion, leftOut] of [
  ['^6.3', false],
  ['~6.2', unchanged('older engines')],
  ['^5', unchanged('older engines')],
] as const)
  test(
    `a file that was published by hand is a map with title, legend, source and cards in engine ${mapVersion}`,
    { skip: skip || leftOut, timeout },
    async () => {
      const { page, seen, close } = await open(mapVersion, { width: 1000, height: 480 });
      try {
        await page.locator('header', { hasText: 'Districts' }).first().waitFor();
        await page.locator('#poster').waitFor({ state: 'detached' });
        assert.deepEqual(await page.evaluate(typefaces), { named: 'Geist', loaded: ['Geist'] });
        const { title, text } = await cardOfMiddle(page);
        assert.match(title, /^District \d+$/);
        const [use, inhabitants] = ['Use', 'Inhabitants'].map((one) => text[text.indexOf(one) + 1]);
        const number = Number(title.split(' ')[1]);
        assert.equal(use, ['park', 'housing', 'water'][number % 3]);
        assert.equal(inhabitants?.replace(',', ''), String(100 * number));
        await page.getByText('City of Auental').waitFor();
        // other engines open it by themselves, as its colours have a meaning
        if (mapVersion === '^5') await page.locator('header .action-btn-wrap button').nth(3).click();
        for (const row of ['housing', 'park', 'water'])
          await page.getByText(row, { exact: true }).last().waitFor();
        const heading = page.locator('.v-list-item', { hasText: /^\s*Use\s*$/ }).filter({ visible: true });
        assert.equal(await heading.count(), 1);
        assert.equal(await heading.locator('svg').isVisible(), false);
        assert.equal(await page.getByText('Other', { exact: true }).count(), 0);
        assert.deepEqual(seen.complaints, []);
      } finally {
        await close();
      }
    },
  );

/** Runs in the page: the first one of its header, and those of our own that have been loaded. */
function typefaces() {
  const [named] = getComputedStyle(document.querySelector('header')!).fontFamily.split(',');
  const own = [...document.fonts].filter(({ family }) => family === 'Geist');
  return { named, loaded: own.filter(({ status }) => status === 'loaded').map(({ family }) => family) };
}

/** Clicks until the feature there has been drawn. */
async function cardOfMiddle(page: Page) {
  const { width, height } = page.viewportSize()!;
  const card = page.locator('.platen-card');
  for (const end = Date.now() + startTimeoutMs; ;) {
    await page.mouse.click(width * 0.55, height / 2);
    const isShown = await card.waitFor({ timeout: 5000 }).then(
      () => true,
      () => false,
    );
    if (isShown) break;
    assert.ok(Date.now() < end, 'a click in the middle of the map shows a card');
  }
  const lines = await card.evaluate((one) => (one as HTMLElement).innerText.split(/\s*\n\s*/));
  const [title = '', ...text] = lines.filter(Boolean);
  return { title, text };
}

/** Where the header has no room for the title. */
test('a phone shows the map and its title, with the panels closed', { skip, timeout }, async () => {
  const { page, seen, close } = await open('^6.3', { width: 390, height: 700 });
  try {
    await page.locator('#poster').waitFor({ state: 'detached' });
    assert.equal(await page.locator('#title').innerText(), 'Districts');
    assert.equal(await page.getByPlaceholder('Search elements').count(), 0);
    const { width, height } = (await page.locator('canvas').first().boundingBox())!;
    assert.equal(width, 390);
    assert.ok(height > 600, `the map is ${height} pixels high`);
    const { title } = await cardOfMiddle(page);
    assert.match(title, /^District \d+$/);
    assert.deepEqual(seen.complaints, []);
  } finally {
    await close();
  }
});
