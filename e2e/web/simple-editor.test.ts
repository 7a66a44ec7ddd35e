// A test of the interface.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { afterFile } from '../../checks/clean-up.ts';
import { findChromium, howToGetIt } from '../chromium.ts';
import type { RunningService } from '../processes.ts';
import { violationsOf } from '../testing-axe.ts';
import { sharedBrowser, sharedService } from '../testing-shared.ts';
import { openInterface, type Look } from './testing-interface.ts';
import { makeProject } from './testing-project.ts';
import { wordsOf } from './testing-words.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;

let service: RunningService;
let browser: Browser;
let made: Awaited<ReturnType<typeof makeProject>>;

before(async () => {
  if (skip) return;
  service = await sharedService();
  browser = await sharedBrowser(executable!, { map: true });
  made = await makeProject(service, 'Simple');
});
afterFile(() => browser?.close());

/** A module of two layers, in the simple editor. */
async function openEditor(look: Look) {
  const { client, url } = service;
  const { projectId, datasourceId } = made;
  const layer = (name: string, title: string) => ({
    type: 'GeoJSONLayer',
    name,
    datasourceId,
    properties: { title },
  });
  const item = (name: string, title: string) => ({
    type: 'LayerContentTreeItem',
    name,
    title,
    layerName: name,
  });
  const body = {
    name: 'Lamps and benches',
    layers: [layer('lamps', 'Lamps'), layer('benches', 'Benches')],
    contentTree: [item('lamps', 'Lamps'), item('benches', 'Benches')],
    maps: [{ type: 'OpenlayersMap', name: 'plan' }],
    startingMapName: 'plan',
  };
  const params = { projectId };
  const { _id: moduleId } = await client.postProjectModule({ params, body });
  const shown = await openInterface(browser, { url }, { depth: 'simple', ...look });
  shown.page.setDefaultTimeout(60_000);
  shown.expect(/GPU stall due to ReadPixels/); // there is no GPU here
  await shown.page.goto(`${url}/p/${projectId}/modules/${moduleId}`);
  await shown.page.getByRole('treeitem').first().waitFor();
  const stored = () => client.getProjectModule({ params: { projectId, moduleId } });
  return { ...shown, stored, moduleId };
}

const checkRules = async (page: Page, what: string): Promise<void> =>
  assert.deepEqual(await violationsOf(page, { exclude: ['iframe'] }), [], what);

async function assertWideMap(page: Page): Promise<void> {
  const [frame, main] = [
    await page.locator('main iframe').boundingBox(),
    await page.locator('main').boundingBox(),
  ];
  assert.ok(frame!.width >= main!.width * 0.6, `${frame!.width} of ${main!.width} pixels`);
}

test(
  'layers are ordered, named and styled in one list by keyboard, beside a map of most of the width',
  { skip },
  async () => {
    const { page, stored, assertQuiet, context } = await openEditor({});
    const words = wordsOf('en');
    const save = page.getByRole('button', { name: words('ui.save'), exact: true }).first();
    await page.getByRole('treeitem', { name: /Benches/ }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Alt+ArrowUp');
    const title = page.getByLabel(words('modules.fields.properties_title'), { exact: true });
    await title.fill('Seats');
    await title.press('Enter');
    await page.getByRole('combobox', { name: words('modules.fields.style') }).selectOption('attributes');
    await checkRules(page, 'with the form of a layer');
    await assertWideMap(page);
    await save.click();
    await page.waitForFunction(() => document.querySelector('[role=status]')?.textContent?.trim() === '');
    const { layers, contentTree } = await stored();
    const seats = layers.find(({ name }) => name === 'benches') as Record<string, unknown>;
    const lamps = layers.find(({ name }) => name === 'lamps') as Record<string, unknown>;
    assert.ok(Number(seats['zIndex']) > Number(lamps['zIndex']));
    assert.deepEqual((seats['style'] as { type: string }).type, 'DeclarativeStyleItem');
    assert.deepEqual(
      (contentTree as { title: string; weight?: number }[])
        .toSorted((a, b) => (b.weight ?? 0) - (a.weight ?? 0))
        .map((one) => one.title),
      ['Seats', 'Lamps'],
    );

    await page.getByRole('button', { name: words('modules.depths.advanced') }).click();
    await page.getByRole('heading', { name: words('modules.lists.contentTree') }).waitFor();
    await assertWideMap(page);
    const properties = page.getByRole('region', { name: words('modules.panes.properties') });
    assert.ok((await properties.boundingBox())!.width > 300);
    await checkRules(page, 'with everything');
    await page.reload();
    await page.getByRole('heading', { name: words('modules.lists.contentTree') }).waitFor();
    assertQuiet();
    await context.close();
  },
);

test(
  'the simple editor is in German on a phone, too, and the map starts with the view that it shows',
  { skip },
  async () => {
    const { page, stored, assertQuiet, context } = await openEditor({
      language: 'de',
      theme: 'dark',
      width: 390,
      height: 844,
    });
    const words = wordsOf('de');
    await checkRules(page, 'on a phone');
    const start = page.getByRole('button', { name: words('modules.startHere') });
    await start.click();
    await page.getByText(words('modules.startsHere')).waitFor();
    await page
      .getByRole('button', { name: words('ui.save'), exact: true })
      .first()
      .click();
    await page.getByText(words('ui.saved'), { exact: true }).waitFor();
    const { viewpoints, startingViewpointName } = await stored();
    assert.equal(startingViewpointName, 'start');
    assert.equal((viewpoints as { name: string }[])[0]!.name, 'start');
    await page.getByRole('treeitem', { name: /Lamps/ }).click();
    await page.getByLabel(words('modules.fields.properties_title'), { exact: true }).waitFor();
    assertQuiet();
    await context.close();
  },
);

test('the base maps of the app that shows the layers are chosen beside them', { skip }, async () => {
  const { page, moduleId, assertQuiet, context } = await openEditor({});
  const { client } = service;
  const { projectId } = made;
  const words = wordsOf('en');
  const row = page.getByRole('button', { name: words('modules.baseMap.title'), exact: true });
  await row.click();
  await page.getByText(words('modules.baseMap.noApp')).waitFor();
  const addApp = (name: string) =>
    client.postProjectApp({ params: { projectId }, body: { name, moduleIds: [moduleId], baseMaps: [] } });
  const { _id: appId } = await addApp('Benches');
  await page.reload();
  await row.click();
  const stored = page.waitForResponse((response) => response.request().method() === 'PUT');
  const previewed = page.waitForRequest(
    (request) =>
      request.url().endsWith('/module-preview') &&
      request.postData()?.includes('"baseMaps":["world-dark"]') === true,
  );
  await page.getByLabel(words('base-maps.worldMaps.world-dark')).check();
  await Promise.all([stored, previewed]);
  assert.deepEqual((await client.getProjectApp({ params: { projectId, appId } })).baseMaps, ['world-dark']);
  await checkRules(page, 'with the gallery of base maps');
  await addApp('Lamps and all');
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/module-preview')) requests.push(request.postData() ?? '');
  });
  // the page before asks, too, when it hears of the new app
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) requests.length = 0;
  });
  await page.reload();
  await row.click();
  const app = page.getByLabel(words('modules.baseMap.app'), { exact: true });
  assert.equal(await app.locator('option:checked').innerText(), 'Lamps and all', 'the newest');
  const ofOther = page.waitForRequest((request) => request.postData()?.includes('"world-dark"') === true);
  await app.selectOption('Benches');
  await ofOther;
  const asked = requests.map((body) => (JSON.parse(body) as { baseMaps?: string[] }).baseMaps);
  assert.deepEqual(asked, [[], ['world-dark']], 'once for each app, and never for none');
  assertQuiet();
  await context.close();
});

test('a story is told from views of the map, and its steps are ordered by keyboard', { skip }, async () => {
  const { page, stored, assertQuiet, context } = await openEditor({});
  const words = wordsOf('en');
  const press = (name: string) => page.getByRole('button', { name: words(name), exact: true }).click();
  await press('modules.story.story');
  for (const [index, title] of ['The town', 'The bench'].entries()) {
    await press('modules.story.addStep');
    // only when the map has told its view
    await page.getByRole('treeitem', { name: words('modules.story.newStep', index + 1) }).waitFor();
    await page.getByLabel(words('modules.story.title'), { exact: true }).fill(title);
  }
  await page.getByLabel(words('modules.story.text'), { exact: true }).fill('Sit down.');
  await page
    .getByLabel(words('modules.story.picture'), { exact: true })
    .fill('https://example.org/bench.jpg');
  await page.keyboard.press('Tab');
  await page.getByLabel(words('modules.story.alt'), { exact: true }).fill('A bench');
  await page.getByLabel(words('modules.story.hide'), { exact: true }).selectOption('lamps');
  await page.getByLabel(words('modules.story.seconds'), { exact: true }).fill('5');
  await page.getByRole('treeitem', { name: /The bench/ }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await checkRules(page, 'with a story');
  await page
    .getByRole('button', { name: words('ui.save'), exact: true })
    .first()
    .click();
  await page.getByText(words('ui.saved'), { exact: true }).waitFor();
  const { story } = await stored();
  const [bench, town] = story!.steps;
  assert.deepEqual(
    [bench!.title, bench!.text, bench!.picture, bench!.hide, story!.seconds],
    ['The bench', 'Sit down.', { url: 'https://example.org/bench.jpg', alt: 'A bench' }, ['lamps'], 5],
  );
  assert.equal(town!.title, 'The town');
  for (const { viewpoint } of [bench!, town!]) assert.equal(typeof viewpoint!['distance'], 'number');
  assertQuiet();
  await context.close();
});
