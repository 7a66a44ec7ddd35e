import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysOf, writeTiff } from '@platen/formats/geotiff/testing';
import type { Page } from 'playwright-core';
import { findChromium, howToGetIt } from '../chromium.ts';
import { violationsOf } from '../testing-axe.ts';
import { newProject, upload } from '../testing-jobs.ts';
import { sharedBrowser, sharedService } from '../testing-shared.ts';
import { goTo, openInterface } from './testing-interface.ts';
import { wordsOf } from './testing-words.ts';

const executable = findChromium();
const words = wordsOf('en');
const [width, height] = [120, 80];
const rim = 10;
/** Of a machine that does much else; drawing itself takes milliseconds. */
const drawnMs = 30_000;

/** One band of noise levels from the west to the east, in a black border. */
function levels(): Buffer {
  const isInside = (x: number, y: number) => Math.min(x, y, width - 1 - x, height - 1 - y) >= rim;
  return writeTiff({
    images: [{ width, height, sample: (x, y) => (isInside(x, y) ? 60 + x : 0) }],
    keys: keysOf(25832),
    scale: [2, 2],
    tie: [0, 0, 0, 600_000, 5_400_000, 0],
  });
}

test(
  'the form of a task shows what ramp and collar make of an image, and the forms of its jobs meet the rules of axe',
  { skip: executable === undefined && howToGetIt, timeout: 120_000 },
  async (t) => {
    const service = await sharedService();
    const browser = await sharedBrowser(executable!);
    t.after(() => browser.close());
    const bucket = await newProject('Levels');
    await upload(bucket, { 'levels.tif': levels() });
    const { page, expect, assertQuiet } = await openInterface(browser, service);
    expect(/willReadFrequently/); // the test reads the canvas
    const open = (jobType: string) =>
      goTo(
        page,
        `${service.url}/p/${bucket.projectId}/tasks/new?jobType=${jobType}&bucket=${bucket.dataBucketId}&key=levels.tif`,
      );
    for (const jobType of ['TilesTerrain', 'ConvertRaster']) {
      await open(jobType);
      await page.getByRole('button', { name: words('tasks.createAndRun') }).waitFor();
      assert.deepEqual(await violationsOf(page), [], jobType);
    }
    await open('TilesImagery');
    const picture = page.getByRole('img', { name: words('inspect.previewLabel') });
    await picture.waitFor();
    const [border, east] = [
      [0.03, 0.5],
      [0.85, 0.5],
    ] as const;
    await untilPreview(page, border, ({ alpha }) => alpha === 0); // as the inspection suggests
    await untilPreview(
      page,
      east,
      ({ red, green, blue, alpha }) => red === green && green === blue && alpha === 255,
    );
    await page.getByRole('radio', { name: /^None/ }).check();
    await untilPreview(page, border, ({ red, alpha }) => red < 5 && alpha === 255);
    const colours = page.getByRole('region', { name: 'Colours' });
    await colours.getByRole('button', { name: 'Colours' }).click();
    await colours.getByRole('button', { name: words('ui.advanced') }).click();
    const ramp = colours.getByRole('combobox', { name: 'Colour ramp' });
    await ramp.selectOption('Viridis');
    await untilPreview(page, east, ({ red, green, blue }) => green > 150 && blue < 140 && red < green);
    await ramp.selectOption('Grey');
    await untilPreview(page, east, ({ red, blue }) => red === blue);
    assert.deepEqual(await violationsOf(page), [], 'with its preview');
    assertQuiet();
  },
);

interface Pixel {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

/** Waits until the preview has a colour at a place, as shares of its width and height. */
async function untilPreview(
  page: Page,
  place: readonly [right: number, down: number],
  isWanted: (pixel: Pixel) => boolean,
): Promise<void> {
  const read = ([right, down]: readonly [number, number]): Pixel => {
    const canvas = document.querySelector<HTMLCanvasElement>('figure canvas')!;
    const [x, y] = [Math.floor(right * canvas.width), Math.floor(down * canvas.height)];
    const { data } = canvas.getContext('2d')!.getImageData(x, y, 1, 1);
    return { red: data[0]!, green: data[1]!, blue: data[2]!, alpha: data[3]! };
  };
  let last: Pixel | undefined;
  for (const end = Date.now() + drawnMs; Date.now() < end; await page.waitForTimeout(50))
    if (isWanted((last = await page.evaluate(read, place)))) return;
  assert.fail(`the preview is ${JSON.stringify(last)}`);
}
