import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { findChromium, howToGetIt } from './chromium.ts';
import type { RunningService } from './processes.ts';
import { violationsOf } from './testing-axe.ts';
import { watch } from './testing-engines.ts';
import { openMap, type EngineGlobals } from './testing-map-page.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';
import { unchanged } from '../checks/costly-tests.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const options = { skip, timeout: 180_000 };
/** Without a GPU, beside other tests, a map may draw a frame in seconds. */
const flightTimeoutMs = 60_000;

const square =
  '{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[12,51],[14,51],[14,53],[12,53],[12,51]]]}}';
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="120"><rect width="300" height="120" fill="#2a7"/></svg>';

const view = (longitude: number, latitude: number) => ({
  groundPosition: [longitude, latitude, 0],
  distance: 500_000,
  heading: 0,
  pitch: -90,
  roll: 0,
});

let path: Promise<string> | undefined;

/** An app on each engine that tells three steps, the second of which switches a layer on. */
async function publish({ client }: RunningService, mapVersion: string): Promise<string> {
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({
    body: { name: 'Story', description: '', bbox: [-180, -85, 180, 85] },
  });
  const params = { projectId };
  const form = new FormData();
  form.append('file', new Blob([square]), 'square.geojson');
  form.append('file', new Blob([picture], { type: 'image/svg+xml' }), 'house.svg');
  await client.postProjectDataBucketUpload({ params: { ...params, dataBucketId }, body: form });
  const add = async (type: 'geojson' | 'generic', dataBucketKey: string) => {
    const body = {
      type,
      name: dataBucketKey,
      sourceProperties: { type: 'internal', dataBucketId, dataBucketKey },
    };
    return (await client.postProjectDatasource({ params, body: body as never }))._id;
  };
  const layers = [
    {
      type: 'GeoJSONLayer',
      name: 'square',
      datasourceId: await add('geojson', 'square.geojson'),
      activeOnStartup: false,
    },
  ];
  const steps = [
    { title: 'Here it begins', text: 'First <b>paragraph</b>\n\nsecond', viewpoint: view(13, 52) },
    {
      title: 'The square',
      viewpoint: view(13.5, 52.5),
      show: ['square'],
      picture: { datasourceId: await add('generic', 'house.svg'), alt: 'A house' },
    },
    { title: 'Away', viewpoint: view(2, 48), hide: ['square'] },
  ];
  const { _id: moduleId } = await client.postProjectModule({
    params,
    body: {
      name: 'Tale',
      maps: [{ type: 'OpenlayersMap', name: 'flat' }],
      layers,
      story: { steps, seconds: 2 },
    } as never,
  });
  const body = { name: 'Tale', mapVersion, moduleIds: [moduleId] };
  const { _id: appId } = await client.postProjectApp({ params, body });
  await client.putProjectAppPublic({ params: { projectId, appId } });
  return `/app/${appId}/`;
}

async function open(mapVersion: string, look: object, hash = '') {
  const service = await sharedService();
  path ??= publish(service, '^6.3');
  const address = mapVersion === '^6.3' ? await path : await publish(service, mapVersion);
  const browser = await sharedBrowser(executable!, { map: true });
  const context = await browser.newContext({
    viewport: { width: 1000, height: 650 },
    locale: 'en-GB',
    ...look,
  });
  const page = await context.newPage();
  await page.addInitScript(rememberWidths);
  const seen = watch(page, service.url);
  await openMap(page, service.url + address + hash);
  await page.locator('#story').waitFor();
  return { page, seen, close: () => browser.close() };
}

/** Runs in the page: how wide the pictures of the map have been. */
function rememberWidths(): void {
  const width = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'width')!;
  Object.defineProperty(HTMLCanvasElement.prototype, 'width', {
    ...width,
    set(this: HTMLCanvasElement, value: number) {
      const { maxWidth = 0 } = globalThis as { maxWidth?: number };
      Object.assign(globalThis, { maxWidth: Math.max(maxWidth, value) });
      width.set!.call(this, value);
    },
  });
}

const title = (page: Page) => page.locator('#story h2').innerText();
const button = (page: Page, name: string) =>
  page.locator('#story').getByRole('button', { name, exact: true });

async function placeOf(page: Page) {
  return page.evaluate(async () => {
    const app = (globalThis as unknown as EngineGlobals).vcs.getFirstApp();
    const viewpoint = await app.maps.activeMap!.getViewpoint();
    const [longitude = 0, latitude = 0] = viewpoint.groundPosition ?? [];
    return { longitude, latitude, isOn: app.layers.getByKey('square')!.active };
  });
}

async function untilAt(page: Page, longitude: number, isOn: boolean): Promise<void> {
  let last: object = {};
  for (const end = Date.now() + flightTimeoutMs; Date.now() < end; await page.waitForTimeout(100)) {
    const place = await placeOf(page);
    if (Math.abs(place.longitude - longitude) < 0.01 && place.isOn === isOn) return;
    last = place;
  }
  assert.fail(
    `The map is at ${JSON.stringify(last)}, not at ${longitude} with the layer ${isOn ? 'on' : 'off'}.`,
  );
}

test('a story flies from place to place, switches layers and shows pictures', options, async () => {
  const { page, seen, close } = await open('^6.3', {});
  try {
    assert.equal(await title(page), 'Here it begins');
    assert.deepEqual(await page.locator('#story article p').allInnerTexts(), [
      'First <b>paragraph</b>',
      'second',
    ]);
    await untilAt(page, 13, false);
    assert.equal(await button(page, 'Back').isDisabled(), true);
    await button(page, 'Next').click();
    await untilAt(page, 13.5, true);
    assert.equal(await title(page), 'The square');
    const image = page.locator('#story img[alt="A house"]');
    assert.equal(await image.evaluate((element: HTMLImageElement) => element.naturalWidth), 300);
    assert.equal(new URL(page.url()).hash, '#step=2');
    await page.locator('#story article').press('ArrowRight');
    await untilAt(page, 2, false);
    assert.equal(await button(page, 'Next').isDisabled(), true);
    await page.locator('#story select').selectOption({ index: 1 });
    await untilAt(page, 13.5, true);

    // two flights that end in one frame, as with a busy machine: the later one counts
    await button(page, 'Back').click();
    await untilAt(page, 13, false);
    await page.evaluate(() => {
      const buttons = [...document.querySelectorAll<HTMLButtonElement>('#story button')];
      const next = buttons.find(({ textContent }) => textContent === 'Next');
      next!.click();
      next!.click();
      const now = Date.now.bind(Date);
      Date.now = () => now() + 5000;
    });
    await untilAt(page, 2, false);
    await button(page, 'Back').click();
    await untilAt(page, 13.5, true);

    const maxWidth = await page.evaluate('maxWidth');
    assert.ok(Number(maxWidth) <= 2048, `A picture of the map was ${String(maxWidth)} pixels wide.`);

    assert.deepEqual(await violationsOf(page, '#story'), []);

    await page.locator('#story article').press('Escape');
    assert.equal(await page.locator('#story').isVisible(), false);
    await page.locator('#story-open').click();
    assert.equal(await title(page), 'The square');
    assert.deepEqual(seen.complaints, []);
  } finally {
    await close();
  }
});

test(
  'a link leads to a step, from which the story plays by itself until somebody moves the map',
  options,
  async () => {
    const look = { locale: 'de-DE', viewport: { width: 390, height: 700 }, reducedMotion: 'reduce' };
    const { page, close } = await open('^6.3', look, '#step=2');
    try {
      await untilAt(page, 13.5, true);
      await button(page, 'Abspielen').click();
      await untilAt(page, 2, false);
      assert.equal(await title(page), 'Away');
      await button(page, 'Abspielen').waitFor();
      await button(page, 'Abspielen').click();
      assert.equal(await title(page), 'Here it begins');
      await page.mouse.move(200, 200);
      await page.mouse.wheel(0, 100);
      await button(page, 'Abspielen').waitFor();
    } finally {
      await close();
    }
  },
);

for (const mapVersion of ['~6.2', '~5.0'])
  test(
    `engine ${mapVersion} tells stories, too`,
    { ...options, skip: skip || unchanged('older engines') },
    async () => {
      const { page, close } = await open(mapVersion, {});
      try {
        await untilAt(page, 13, false);
        await button(page, 'Next').click();
        await untilAt(page, 13.5, true);
      } finally {
        await close();
      }
    },
  );
