import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { keysOf, writeTiff } from '@platen/formats/geotiff/testing';
import { setTimeout } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterFile } from '../../checks/clean-up.ts';
import { findChromium, howToGetIt } from '../chromium.ts';
import type { RunningService } from '../processes.ts';
import { sharedBrowser, sharedService } from '../testing-shared.ts';
import { openInterface } from './testing-interface.ts';
import { wordsOf } from './testing-words.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const words = wordsOf('en');

let service: RunningService;
let browser: Browser;

before(async () => {
  if (skip) return;
  service = await sharedService();
  browser = await sharedBrowser(executable!);
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
const bytesOf = (value: object) => new TextEncoder().encode(JSON.stringify(value));
const point = (coordinates: readonly number[]) => ({
  type: 'Feature',
  properties: { name: 'x' },
  geometry: { type: 'Point', coordinates },
});

test(
  'a map in a guessed coordinate system is published only after its place is confirmed',
  { skip },
  async (t) => {
    const features = [point([500_000, 5_800_000]), point([501_000, 5_801_000])];
    const path = await panelOf('guess.geojson', bytesOf({ type: 'FeatureCollection', features }));
    const { page, context, assertQuiet } = await openInterface(browser, service);
    t.after(() => context.close());
    await page.goto(path);
    await page.getByRole('button', { name: words('preview.next.publish') }).click();
    const publish = page.getByRole('button', { name: words('quick-publish.action'), exact: true });
    const box = page.getByLabel(words('quick-publish.confirmPlace'));
    await box.waitFor();
    assert.ok(await publish.isDisabled());
    await box.check();
    assert.ok(await publish.isEnabled());
    assertQuiet();
  },
);

test('an image is drawn in its place, under the policy of the page', { skip, timeout: 60_000 }, async (t) => {
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
  const { page, context, assertQuiet } = await openInterface(browser, service);
  t.after(() => context.close());
  await page.goto(path);
  await page.getByRole('button', { name: words('preview.next.publish') }).waitFor();
  const canvas = page.locator('canvas').first();
  await canvas.waitFor();
  while ((await middleOf(await canvas.screenshot())) > 140) await setTimeout(100); // the base map is light
  assertQuiet();
});

/** The brightness of the middle of a picture. */
async function middleOf(picture: Uint8Array): Promise<number> {
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return data[(Math.floor(height / 2) * width + Math.floor(width / 2)) * channels]!;
}
