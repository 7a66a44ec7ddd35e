// Points from the drop of a file to the public map, whose styles visitors switch, and what the page of the datasource does.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { namedStylesOf } from '@platen/contract/named-styles';
import { writeE57 } from '@platen/formats/e57/testing';
import type { Browser, Page } from 'playwright-core';
import { afterFile } from '../checks/clean-up.ts';
import { findChromium, howToGetIt } from './chromium.ts';
import { violationsOf } from './testing-axe.ts';
import { untilSeen, watch } from './testing-engines.ts';
import { untilMiddle } from './testing-globe-app.ts';
import { newProject, upload, type Bucket } from './testing-jobs.ts';
import { writeScan } from './testing-scan.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';
import { openInterface } from './web/testing-interface.ts';
import { drop, walkTo, type DroppedFile } from './web/testing-user-driver.ts';
import { wordsOf } from './web/testing-words.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
/** Without a GPU, and beside other tests. */
const slowMs = 90_000;

let browser: Browser;
let bucket: Bucket;
/** Of the public map. */
let address: string;

before(async () => {
  if (skip) return;
  browser = await sharedBrowser(executable!, { map: true });
  bucket = await newProject('Scans');
});
afterFile(() => browser?.close());

/** Drops a file onto the page of files, and publishes it. @param answer of what is asked @returns the address of the map */
async function publishDropped(
  page: Page,
  file: DroppedFile,
  answer?: (page: Page) => Promise<void>,
): Promise<string> {
  const { url } = await sharedService();
  const words = wordsOf('en');
  await page.goto(`${url}/p/${bucket.projectId}/files`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await drop(page, [file]);
  await page.getByRole('button', { name: words('preview.next.publish') }).click();
  const dialog = page.getByRole('dialog', { name: words('quick-publish.title') });
  await answer?.(page);
  await dialog.getByRole('button', { name: words('quick-publish.action') }).click();
  const link = dialog.getByRole('link', { name: words('quick-publish.openMap') });
  await link.waitFor({ timeout: slowMs });
  return new URL((await link.getAttribute('href'))!, url).href;
}

async function chooseStyle(page: Page, style: string): Promise<void> {
  await page.locator('[data-action-name=StyleSelector]').click();
  await page.getByText(style, { exact: true }).first().click();
}

test('a scan that is dropped becomes a public map with three clicks', { skip, timeout: slowMs }, async () => {
  const { page, context, countedActs } = await openInterface(browser, await sharedService());
  address = await publishDropped(page, { name: 'scan.las', content: writeScan() });
  assert.ok(countedActs() <= 3);
  await context.close();
});

test(
  'visitors switch the points from their colours to classes and back',
  { skip, timeout: 3 * slowMs },
  async () => {
    const { url } = await sharedService();
    const context = await browser.newContext({ viewport: { width: 900, height: 600 } });
    const page = await context.newPage();
    const seen = watch(page, url);
    await page.goto(address);
    const untilPond = (name: string, isWanted: Parameters<typeof untilMiddle>[2]) =>
      untilMiddle(page, { name, row: 470 }, isWanted);
    await untilPond('dull blue', ([red, , blue]) => blue > red + 30 && blue < 165);
    await chooseStyle(page, 'Classification');
    await untilPond('the blue of water', ([red, , blue]) => blue > red + 90 && blue > 165);
    await chooseStyle(page, 'Colour');
    await untilPond('dull blue again', ([red, , blue]) => blue > red + 30 && blue < 165);
    assert.deepEqual(seen.complaints, []);
    await context.close();
  },
);

test(
  'on the page of the datasource, styles are changed and sheets added by keyboard, in German, and the update leaves the styles',
  { skip, timeout: 3 * slowMs },
  async () => {
    const { client, url } = await sharedService();
    const params = { projectId: bucket.projectId };
    await upload(bucket, { 'nord.las': writeScan(60) });
    const { items } = await client.getProjectDatasources({ params });
    const { _id: datasourceId } = items[0]!;
    const read = () => client.getProjectDatasource({ params: { ...params, datasourceId } });
    const before = await read();
    const { page, context, expect, assertQuiet } = await openInterface(browser, { url }, { language: 'de' });
    expect(/GPU stall due to ReadPixels/);
    page.setDefaultTimeout(slowMs);
    const words = wordsOf('de');
    const press = async (name: string | RegExp, key = 'Enter') => {
      await walkTo(page, page.getByRole('button', { name }).first());
      await page.keyboard.press(key);
    };
    await page.goto(`${url}/p/${bucket.projectId}/datasources/${datasourceId}?tab=styles`);
    await press(`${words('datasources.styles.makeDefault')}: Classification`);
    await page.getByRole('radio', { name: /Classification/ }).check();
    await press(`${words('map-styles.hide')}: water`);
    assert.deepEqual(await violationsOf(page, { exclude: ['iframe'] }), []);
    await press(words('ui.save'));
    await page.getByText(words('ui.unsaved')).waitFor({ state: 'detached' });
    const [first] = namedStylesOf((await read()).properties);
    assert.equal(first!.name, 'Classification');
    assert.match(
      JSON.stringify(first!['declarativeStyle']),
      /!\(\$\{CLASSIFICATION\} === 7 \|\| \$\{CLASSIFICATION\} === 9\)/,
    );

    await page.goto(`${url}/p/${bucket.projectId}/datasources/${datasourceId}`);
    await press(words('datasources.points.sheets.open'));
    await walkTo(page, page.getByLabel(words('datasources.points.sheets.file')));
    await page.keyboard.press('Enter');
    await press(/nord\.las/);
    const mapText = words('datasources.points.mapText').replace('{old}', '1').replace('{fresh}', '1');
    await page.getByText(mapText).waitFor({ state: 'attached' });
    assert.deepEqual(await violationsOf(page), []);
    await press(words('datasources.points.sheets.action'));
    await page.waitForURL(/\/jobs\//);
    const jobId = new URL(page.url()).pathname.split('/').at(-1)!;
    for await (const event of client.getProjectJobEvents({ params: { ...params, jobId } }))
      if (event.event === 'end') break;
    const after = await read();
    assert.equal(after.properties['pointCount'], 2 * Number(before.properties['pointCount']));
    assert.deepEqual(namedStylesOf(after.properties)[0], first);
    assertQuiet();
    await context.close();
  },
);

/** A blue square of 8 m around its origin. */
function squareScan(): Buffer {
  const side = 80;
  const along = (axis: (i: number) => number) =>
    Array.from({ length: side ** 2 }, (_, i) => (axis(i) - side / 2) / 10);
  const xs = along((i) => i % side);
  const flat = xs.map(() => 0);
  const coordinate = (name: string, values: readonly number[]) => ({ name, type: 'single', values }) as const;
  const colour = (name: string, value: number) =>
    ({ name, type: 'integer', minimum: 0, maximum: 255, values: xs.map(() => value) }) as const;
  const fields = [
    coordinate('cartesianX', xs),
    coordinate(
      'cartesianY',
      along((i) => Math.floor(i / side)),
    ),
    coordinate('cartesianZ', flat),
    colour('colorRed', 0),
    colour('colorGreen', 0),
    colour('colorBlue', 255),
  ];
  return writeE57({ scans: [{ fields }] });
}

for (const { name, content, hasClasses, answer } of [
  {
    name: 'waves.laz',
    hasClasses: true,
    content: () => readFileSync(new URL('../formats/las/decode/golden/waves-10.laz', import.meta.url)),
  },
  {
    name: 'square.e57',
    content: squareScan,
    async answer(page: Page) {
      const words = wordsOf('en');
      await page.getByLabel(words('quick-publish.placing.latitude')).fill('49.45');
      await page.getByLabel(words('quick-publish.placing.longitude')).fill('11.07');
    },
  },
])
  test(
    `${name} that is dropped is seen on the globe${answer ? ', once its place was asked' : ''}`,
    { skip, timeout: 2 * slowMs },
    async () => {
      const { url } = await sharedService();
      const { page, context } = await openInterface(browser, { url });
      const map = await publishDropped(page, { name, content: content() }, answer);
      const visitor = await context.newPage();
      await visitor.setViewportSize({ width: 900, height: 600 });
      const seen = watch(visitor, url);
      await visitor.goto(map);
      await untilSeen(visitor, [['blue', ([red, , blue]) => blue > red + 40 && blue > 100]]);
      if (hasClasses) {
        await chooseStyle(visitor, 'Classification');
        await untilSeen(visitor, [['the red of buildings', ([red, green]) => red > green + 80 && red > 170]]);
      }
      assert.deepEqual(seen.complaints, []);
      await context.close();
    },
  );
