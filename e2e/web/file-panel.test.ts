import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { keysOf, writeTiff } from '@platen/formats/geotiff/testing';
import { setTimeout } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterFile } from '../../checks/clean-up.ts';
import { findChromium, howToGetIt } from '../chromium.ts';
import type { RunningService } from '../processes.ts';
import { violationsOf } from '../testing-axe.ts';
import { sharedBrowser, sharedService } from '../testing-shared.ts';
import { openInterface, type Interface } from './testing-interface.ts';
import { wordsOf } from './testing-words.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const words = wordsOf('en');

let service: RunningService;
let browser: Browser;
/** One for all tests in English: each of its own would load and compile everything again. */
let shown: Interface;

before(async () => {
  if (skip) return;
  service = await sharedService();
  browser = await sharedBrowser(executable!, { map: true });
  shown = await openInterface(browser, service);
});
afterFile(() => browser?.close());

/** Uploads a file to a new project. @returns the path of its panel */
async function panelOf(key: string, content: Uint8Array<ArrayBuffer>): Promise<string> {
  const { client } = service;
  const project = await client.postProject({ body: { name: key, description: '', bbox: [9, 47, 12, 50] } });
  const params = { projectId: project._id, dataBucketId: project.defaultDataBucketId };
  const form = new FormData();
  form.append('file', new Blob([content]), key);
  await client.postProjectDataBucketUpload({ params, body: form });
  await client.postProjectDataBucketInspect({ params, query: { key } });
  return `${service.url}/p/${project._id}/files?key=${key}`;
}

/** Opens the panel, and waits for its map. */
async function openPreview(path: string) {
  const { page } = shown;
  await page.goto(path);
  await page.getByRole('button', { name: words('preview.next.publish') }).waitFor();
  const canvas = page.locator('canvas').first();
  await canvas.waitFor();
  return canvas;
}

const bytesOf = (value: object) => new TextEncoder().encode(JSON.stringify(value));
const point = (coordinates: readonly number[]) => ({
  type: 'Feature',
  properties: { name: 'x' },
  geometry: { type: 'Point', coordinates },
});

test(
  'a map in a guessed coordinate system is published only after its place is confirmed',
  { skip },
  async () => {
    const features = [point([500_000, 5_800_000]), point([501_000, 5_801_000])];
    const path = await panelOf('guess.geojson', bytesOf({ type: 'FeatureCollection', features }));
    const { page, assertQuiet } = shown;
    await page.goto(path);
    await page.getByRole('button', { name: words('preview.next.publish') }).click();
    const publish = page.getByRole('button', { name: words('quick-publish.action'), exact: true });
    const box = page.getByLabel(words('quick-publish.confirmPlace'));
    await box.waitFor();
    assert.ok(await publish.isDisabled());
    await box.check();
    assert.ok(await publish.isEnabled());
    const crs = page.getByLabel(words('quick-publish.crs'));
    const guessed = await crs.inputValue();
    await crs.fill('EPSG:2056');
    await box.waitFor({ state: 'detached' });
    await crs.fill(guessed);
    assert.ok(!(await box.isChecked()), 'another answer needs another look');

    const [, projectId] = /p\/([^/]+)/.exec(path)!;
    const { defaultDataBucketId: bucket } = await service.client.getProject({
      params: { projectId: projectId! },
    });
    const of = `bucket=${bucket}&key=guess.geojson`;
    for (const [place, action] of [
      [`tasks/new?jobType=TilesVector&${of}`, 'tasks.createAndRun'],
      [`datasources?create=1&${of}`, 'datasources.create.action'],
    ] as const) {
      await page.goto(`${service.url}/p/${projectId}/${place}`);
      await box.waitFor();
      const type = page.getByLabel(words('datasources.type'), { exact: true });
      if (place.startsWith('datasources')) await type.selectOption('geojson');
      const create = page.getByRole('button', { name: words(action), exact: true });
      assert.ok(await create.isDisabled(), place);
      await box.check();
      await page.locator('button.btn-primary:not(:disabled)', { hasText: words(action) }).waitFor();
    }
    assertQuiet();
  },
);

test(
  'a damaged file says in the words of the user what it is, and is replaced from there',
  { skip },
  async (t) => {
    const whole = bytesOf({ type: 'FeatureCollection', features: [point([10, 48]), point([11, 49])] });
    const path = await panelOf('cut.geojson', whole.slice(0, whole.length - 30));
    const { page, context, expect, assertQuiet } = await openInterface(browser, service, { language: 'de' });
    expect(/status of 404.*object\/sample/); // of a file that cannot be read
    t.after(() => context.close());
    await page.goto(path);
    const inGerman = wordsOf('de');
    const alert = page.getByRole('alert').filter({ hasText: inGerman('preview.damagedText') });
    await alert.waitFor();
    await alert.getByText(inGerman('file-issues.of.brokenJson'), { exact: true }).waitFor();
    const chooser = page.waitForEvent('filechooser');
    await alert.getByRole('button', { name: inGerman('uploads.newVersion') }).click();
    await (
      await chooser
    ).setFiles({ name: 'other.geojson', mimeType: 'application/json', buffer: Buffer.from(whole) });
    await alert.waitFor({ state: 'detached' });
    assertQuiet();
  },
);

test(
  'a map is published in the colours that its preview shows, and says what has no place',
  { skip, timeout: 90_000 },
  async () => {
    const rows = Array.from({ length: 12 }, (_, i) => {
      const place = i === 5 ? ',' : `${10 + i / 100},48.${10 + i}`;
      return `${place},${['oak', 'lime'][i % 2]},${['old', 'young', 'dead'][i % 3]}`;
    });
    const path = await panelOf(
      'trees.csv',
      new TextEncoder().encode(['lon,lat,species,state', ...rows].join('\n')),
    );
    const { page, assertQuiet } = shown;
    await page.goto(path);
    const by = page.getByLabel(words('preview.colourBy'));
    assert.equal(await by.inputValue(), 'species');
    await by.selectOption('state');
    await page.getByText('young', { exact: true }).waitFor();
    assert.match((await page.getByText(/11 features, from/).textContent()) ?? '', /trees\.csv/);
    await page.getByRole('button', { name: '1 problem' }).first().waitFor();
    await page.getByRole('button', { name: words('preview.next.publish') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(words('quick-publish.source')).fill('City of Trees');
    await dialog.getByRole('button', { name: words('quick-publish.action'), exact: true }).click();
    await dialog.getByText(words('quick-publish.done')).waitFor();
    const { client } = service;
    const projectId = /p\/([^/]+)/.exec(path)![1]!;
    const { items } = await client.getProjectModules({ params: { projectId } });
    const module = await client.getProjectModule({ params: { projectId, moduleId: items[0]!._id } });
    const styles = JSON.stringify(module);
    assert.ok(styles.includes('${state}') && !styles.includes('${species}'), styles);
    assert.ok(styles.includes('{"provider":"City of Trees"}'), styles);
    assertQuiet();
  },
);

test(
  'an image is drawn in its place, and becomes tiles of a public map in three clicks',
  { skip, timeout: 120_000 },
  async () => {
    const image = {
      width: 64,
      height: 64,
      bands: 3,
      bits: 8 as const,
      photometric: 2,
      sample: (x: number, y: number) => x + y,
    };
    const place = { scale: [1, 1], tie: [0, 0, 0, 600_000, 5_400_000, 0], keys: keysOf(25832) } as const;
    const path = await panelOf('image.tif', new Uint8Array(writeTiff({ ...place, images: [image] })));
    const canvas = await openPreview(path);
    const { page, assertQuiet } = shown;
    while (brightnessOf(await middlePixelOf(await canvas.screenshot())) > 140) await setTimeout(100); // the base map is light
    await page.getByRole('button', { name: words('preview.next.publish') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(words('quick-publish.colours.border')).check();
    assert.deepEqual(await violationsOf(page), []);
    await dialog.getByRole('button', { name: words('quick-publish.action'), exact: true }).click();
    await dialog.getByText(words('quick-publish.done')).waitFor();
    const { client } = service;
    const projectId = /p\/([^/]+)/.exec(path)![1]!;
    const { items } = await client.getProjectTasks({ params: { projectId } });
    const { jobType, parameters } = await client.getProjectTask({
      params: { projectId, taskId: items[0]!._id },
    });
    assert.equal(jobType, 'platenTilesImagery');
    assert.deepEqual((parameters['options'] as { mask?: unknown }).mask, { collar: 'auto' });
    const apps = await client.getProjectApps({ params: { projectId } });
    assert.equal(
      (await fetch(new URL(apps.items[0]!.url!, service.url))).status,
      200,
      'everyone may see the map',
    );
    assertQuiet();
  },
);

test(
  'heights of SRTM are drawn as a relief where the name of their file says',
  { skip, timeout: 60_000 },
  async () => {
    const side = 1201;
    const heights = Buffer.alloc(side * side * 2);
    for (let i = 0; i < side * side; i++) heights.writeInt16BE(300 + (i % side), i * 2);
    const path = await panelOf('N48E010.hgt', new Uint8Array(heights));
    const canvas = await openPreview(path);
    // the ground is green to brown, the base map grey and blue
    while (warmthOf(await middlePixelOf(await canvas.screenshot())) < 30) await setTimeout(100);
    shown.assertQuiet();
  },
);

test('a model without a place is asked for one, and stands there', { skip, timeout: 120_000 }, async () => {
  const wall = 'v -1 0 0\nv 1 0 0\nv 1 0 2\nv -1 0 2\nf 1 2 3 4\n';
  const path = await panelOf('wall.obj', new TextEncoder().encode(wall));
  const { page, assertQuiet } = shown;
  await page.goto(path);
  const picture = page.getByAltText(words('preview.pictureOf').replace('{name}', 'wall.obj'));
  assert.ok((await picture.boundingBox())!.height > 200, 'its picture fills the pane');
  await page.getByRole('button', { name: words('preview.next.publish') }).click();
  const dialog = page.getByRole('dialog');
  const publish = dialog.getByRole('button', { name: words('quick-publish.action'), exact: true });
  await dialog.getByText(words('quick-publish.placing.ask')).waitFor();
  assert.ok(await publish.isDisabled());
  await dialog.locator('canvas').click();
  const latitude = dialog.getByLabel(words('quick-publish.placing.latitude'));
  assert.match(await latitude.inputValue(), /^-?\d+(\.\d+)?$/, 'where the map was clicked');
  await latitude.fill('48.14');
  await dialog.getByLabel(words('quick-publish.placing.longitude')).fill('11.57');
  assert.deepEqual(await violationsOf(page), []);
  await publish.click();
  await dialog.getByText(words('quick-publish.done')).waitFor();
  const { client } = service;
  const projectId = /p\/([^/]+)/.exec(path)![1]!;
  const { items } = await client.getProjectDatasources({ params: { projectId } });
  const [west, south, east, north] = items[0]!.bbox!;
  assert.ok(
    west! < 11.57 && 11.57 < east! && Math.abs(south! - 48.14) < 1e-4 && Math.abs(north! - 48.14) < 1e-4,
  );
  assertQuiet();
});

type Pixel = readonly [red: number, green: number, blue: number];

async function middlePixelOf(picture: Uint8Array): Promise<Pixel> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const at = (Math.floor(height / 2) * width + Math.floor(width / 2)) * channels;
  return [data[at]!, data[at + 1]!, data[at + 2]!];
}

const brightnessOf = ([red, green, blue]: Pixel): number => (red + green + blue) / 3;
const warmthOf = ([, green, blue]: Pixel): number => green - blue;
