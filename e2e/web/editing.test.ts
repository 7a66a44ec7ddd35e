// A test of the interface.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { findChromium, howToGetIt } from '../chromium.ts';
import type { RunningService } from '../processes.ts';
import { goTo, openInterface, type Interface } from './testing-interface.ts';
import { makeProject } from './testing-project.ts';
import { wordsOf } from './testing-words.ts';
import { sharedBrowser, sharedService } from '../testing-shared.ts';
import { afterFile } from '../../checks/clean-up.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const timeout = 120_000;
const words = wordsOf('en');

let service: RunningService;
let browser: Browser;
let made: Awaited<ReturnType<typeof makeProject>>;
/** One for all tests: each of its own would load and compile everything again. */
let shown: Interface;

before(async () => {
  if (skip) return;
  service = await sharedService();
  browser = await sharedBrowser(executable!, { map: true });
  made = await makeProject(service);
  shown = await openInterface(browser, service);
  shown.page.setDefaultTimeout(60_000);
  shown.expect(/GPU stall due to ReadPixels/); // there is no GPU here
});
afterFile(() => browser?.close());

/** The editor of a module of its own, made by the API; and that module as it is stored now. */
async function inEditor(
  name: string,
  act: (page: Page, stored: () => Promise<Stored>) => Promise<void>,
  layers: Stored['layers'] = [],
) {
  const { client, url } = service;
  const { projectId } = made;
  // the preview of a plan takes less than that of a globe
  const body = { name, layers, maps: [{ type: 'OpenlayersMap', name: 'plan' }], startingMapName: 'plan' };
  const { _id: moduleId } = await client.postProjectModule({ params: { projectId }, body });
  const { page } = shown;
  await goTo(page, `${url}/p/${projectId}/modules/${moduleId}`);
  await page.getByRole('heading', { name }).first().waitFor();
  await act(page, () => client.getProjectModule({ params: { projectId, moduleId } }));
  shown.assertQuiet();
}
type Stored = Awaited<ReturnType<RunningService['client']['getProjectModule']>>;

const descriptionOf = (page: Page) => page.getByLabel(words('modules.description'));
/** Of the page, not of the style form. */
const saveButton = (page: Page) => page.getByRole('button', { name: words('ui.save'), exact: true }).first();
async function save(page: Page): Promise<void> {
  await saveButton(page).click();
  await page.getByText(words('modules.unsaved')).waitFor({ state: 'detached' });
}

test('edits after copying a module change the copy', { skip, timeout }, async () => {
  await inEditor('Trees', async (page, stored) => {
    await page
      .getByRole('button', { name: words('ui.more'), exact: true })
      .last()
      .click();
    await page.getByRole('menuitem', { name: words('modules.duplicate') }).click();
    const copy = words('modules.copyOf').replace('{name}', 'Trees');
    await page.getByRole('heading', { name: copy }).first().waitFor();
    await descriptionOf(page).fill('Of the copy');
    await save(page);
    assert.equal((await stored()).description, '');
    const { items } = await service.client.getProjectModules({ params: { projectId: made.projectId } });
    assert.equal(items.find(({ name }) => name === copy)?.description, 'Of the copy');
  });
});

test(
  'undo reverts the user’s own edits, not those that a colleague saved in between',
  { skip, timeout },
  async () => {
    await inEditor('Bridges', async (page, stored) => {
      await descriptionOf(page).fill('Mine');
      await save(page);
      const params = { projectId: made.projectId, moduleId: (await stored())._id };
      const name = 'Bridges over the river';
      await service.client.putProjectModule({ params, body: { name } });
      await page.getByRole('heading', { name }).first().waitFor();
      await page
        .getByRole('button', { name: words('ui.undo') })
        .first()
        .click();
      await page.getByText(words('modules.unsaved')).waitFor();
      await save(page);
      const now = await stored();
      assert.deepEqual({ name: now.name, description: now.description }, { name, description: '' });
    });
  },
);

test(
  'half-typed JSON is neither saved without it nor left without a question',
  { skip, timeout },
  async () => {
    await inEditor('Canals', async (page, stored) => {
      await descriptionOf(page).fill('Typed before');
      await page.getByRole('tab', { name: 'JSON' }).click();
      const json = page.locator('.cm-content');
      await json.click();
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.type(', "half": ');
      await page.getByText(words('modules.noJson')).waitFor();
      assert.equal(await saveButton(page).isDisabled(), true);
      await page.keyboard.press('ControlOrMeta+s');
      await leave(page);
      assert.equal((await stored()).description, '');
    });
  },
);

test('leaving without saving discards the edits, also of a new item', { skip, timeout }, async () => {
  await inEditor('Towers', async (page, stored) => {
    const label = `${words('ui.add')}: ${words('modules.lists.viewpoints')}`;
    await page.getByRole('button', { name: label }).click();
    await page.getByRole('menuitem', { name: words('modules.emptyViewpoint') }).click();
    await page.waitForURL(/thing=viewpoints/);
    await leave(page);
    assert.equal((await stored()).viewpoints?.length ?? 0, 0);
  });
});

async function leave(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: words('shell.places.apps') })
    .first()
    .click();
  await page.getByRole('button', { name: words('live.leave'), exact: true }).click();
  await page
    .getByRole('heading', { name: words('shell.places.apps') })
    .first()
    .waitFor();
}

test('a style by attributes comes back after the default of the viewer', { skip, timeout }, async () => {
  const { _id: datasourceId } = await service.client.postProjectDatasource({
    params: { projectId: made.projectId },
    body: {
      name: 'Trees',
      type: 'geojson',
      sourceProperties: { type: 'internal', dataBucketId: made.dataBucketId, dataBucketKey: 'lamps.geojson' },
    },
  });
  const layer = { type: 'GeoJSONLayer', name: 'trees', datasourceId };
  const act = async (page: Page, stored: () => Promise<Stored>) => {
    await page.getByText('trees', { exact: true }).first().click();
    const style = page.getByLabel(words('modules.fields.style'), { exact: true }).first();
    await style.selectOption('attributes');
    await page.getByLabel(words('map-styles.legendText'), { exact: true }).fill('Old trees');
    await page.getByLabel(words('map-styles.legendText'), { exact: true }).press('Tab');
    await save(page);
    const { layers } = await stored();
    await style.selectOption('');
    await save(page);
    assert.equal((await stored()).layers![0]!['style'], undefined);
    await style.selectOption('attributes');
    await save(page);
    assert.deepEqual((await stored()).layers, layers);
  };
  await inEditor('Trees', act, [layer]);
});

test('a style is saved for its datasource, and deleted there', { skip, timeout }, async () => {
  const { client } = service;
  const { _id: datasourceId } = await client.postProjectDatasource({
    params: { projectId: made.projectId },
    body: {
      name: 'Parks',
      type: 'geojson',
      sourceProperties: { type: 'internal', dataBucketId: made.dataBucketId, dataBucketKey: 'lamps.geojson' },
      properties: { styles: [{ type: 'VectorStyleItem', name: 'Plain' }], kept: true },
    },
  });
  const params = { projectId: made.projectId, datasourceId };
  const propertiesOf = async () => (await client.getProjectDatasource({ params })).properties;
  const layer = { type: 'GeoJSONLayer', name: 'parks', datasourceId };
  const act = async (page: Page, stored: () => Promise<Stored>) => {
    await page.getByText('parks', { exact: true }).first().click();
    const style = page.getByLabel(words('modules.fields.style'), { exact: true }).first();
    await style.selectOption('attributes');
    await page.getByLabel(words('modules.style.saveAs')).fill('Calm');
    await page.getByLabel(words('modules.style.saveAs')).press('Enter');
    await page.getByRole('button', { name: words('modules.style.makeDefault') }).click();
    await page
      .getByRole('button', { name: words('modules.style.makeDefault') })
      .waitFor({ state: 'detached' });
    const { styles, kept } = await propertiesOf();
    const named = (styles as { name: string; type: string }[]).map(({ name, type }) => `${name} ${type}`);
    assert.deepEqual([named, kept], [['Calm DeclarativeStyleItem', 'Plain VectorStyleItem'], true]);
    await save(page);
    assert.deepEqual((await stored()).layers, [{ ...layer, properties: { datasourceStyle: 'Calm' } }]);
    await page.getByRole('button', { name: words('modules.style.delete') }).click();
    const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await dialog.getByRole('button', { name: words('modules.style.delete') }).click();
    await page.getByRole('option', { name: 'Calm' }).first().waitFor({ state: 'detached' });
    assert.deepEqual((await propertiesOf())['styles'], [{ type: 'VectorStyleItem', name: 'Plain' }]);
  };
  await inEditor('Parks', act, [layer]);
});

const line = (condition: string, colour: string) =>
  `<Rule>${condition}<LineSymbolizer><Stroke><CssParameter name="stroke">${colour}</CssParameter><CssParameter name="stroke-dasharray">5 2</CssParameter></Stroke></LineSymbolizer></Rule>`;
const equals = (value: string) =>
  `<Filter><PropertyIsEqualTo><PropertyName>kind</PropertyName><Literal>${value}</Literal></PropertyIsEqualTo></Filter>`;
const sld = `<StyledLayerDescriptor version="1.0.0"><NamedLayer><UserStyle><FeatureTypeStyle>${line(equals('5'), '#112233')}${line(equals('old'), '#445566')}</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

test('a style file is applied after its notes were shown, and written again', { skip, timeout }, async () => {
  const { _id: datasourceId } = await service.client.postProjectDatasource({
    params: { projectId: made.projectId },
    body: {
      name: 'Roads',
      type: 'geojson',
      sourceProperties: { type: 'internal', dataBucketId: made.dataBucketId, dataBucketKey: 'lamps.geojson' },
    },
  });
  const act = async (page: Page, stored: () => Promise<Stored>) => {
    shown.expect(/status of 400/);
    await page.getByText('roads', { exact: true }).first().click();
    const file = page.getByLabel(words('style-files.file'));
    await file.setInputFiles({ name: 'broken.sld', mimeType: '', buffer: Buffer.from('<a>\n<b></a>') });
    await page.getByText(/Line 2, column 7: /).waitFor();
    await file.setInputFiles({ name: 'roads.sld', mimeType: '', buffer: Buffer.from(sld) });
    const dialog = page.getByRole('dialog');
    await dialog.getByText('stroke-dasharray has no equal and is left out.').waitFor();
    await dialog.getByText('The data have no attribute “kind”.').waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const written = page.waitForEvent('download');
    await page.getByLabel(words('style-files.export')).selectOption('mapbox');
    assert.match((await written).suggestedFilename(), /\.json$/);
    await saveButton(page).first().click(); // the other one saves the style for its datasource
    await page.getByText(words('modules.unsaved')).waitFor({ state: 'detached' });
    const [layer] = (await stored()).layers as { style: { properties: { mapStyle: { style: object } } } }[];
    assert.deepEqual(layer!.style.properties.mapStyle.style, {
      colour: {
        type: 'categories',
        attribute: 'kind',
        categories: [
          { values: [5], colour: '#112233' },
          { values: ['old'], colour: '#445566' },
        ],
      },
      opacity: 1,
      size: { type: 'single', size: 1 },
    });
  };
  await inEditor('Roads', act, [{ type: 'GeoJSONLayer', name: 'roads', datasourceId }]);
});
