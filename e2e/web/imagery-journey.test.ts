import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { keysOf, writeTiff } from '@platen/formats/geotiff/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { findChromium, howToGetIt } from '../chromium.ts';
import { isStarted, startTimeoutMs, watch } from '../testing-engines.ts';
import { violationsOf } from '../testing-axe.ts';
import { untilMiddle, type Colour } from '../testing-globe-app.ts';
import { untilColours, type Place } from '../testing-map-colours.ts';
import { sharedBrowser, sharedService } from '../testing-shared.ts';
import { openInterface } from './testing-interface.ts';
import { drop, dropFolder, type DroppedFile } from './testing-user-driver.ts';
import { wordsOf } from './testing-words.ts';

const executable = findChromium();
const words = wordsOf('en');
const jobTimeoutMs = 120_000;

/** The middle of both files. */
const [longitude, latitude] = [10.5, 48.5];
const plateauMetres = 700;
/** Metres of the sea of EGM96 above the ellipsoid there, by PROJ. */
const undulation = 47.05;

/** Files of SRTM have a row and a column more than steps, the upper left point first. */
function plateau(): Uint8Array {
  const points = 1201 ** 2;
  const heights = Buffer.alloc(2 * points);
  for (let i = 0; i < points; i++) heights.writeInt16BE(plateauMetres, 2 * i);
  return heights;
}

const crs =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]]';

/** A violet field of about a fifth of a degree, in degrees. */
async function orthophoto(): Promise<DroppedFile[]> {
  const side = 200;
  const image = sharp({
    create: { width: side, height: side, channels: 3, background: { r: 150, g: 30, b: 160 } },
  });
  const lines = [0.001, 0, 0, -0.001, longitude - 0.1, latitude + 0.1];
  return [
    { name: 'field.jpg', content: await image.jpeg().toBuffer() },
    { name: 'field.jgw', content: lines.join('\n') },
    { name: 'field.prj', content: crs },
  ];
}

test(
  'an orthophoto and a height model that are dropped become one public map at the right height',
  { skip: executable === undefined && howToGetIt, timeout: 400_000 },
  async (t) => {
    const { url } = await sharedService();
    const browser = await sharedBrowser(executable!, { map: true });
    t.after(() => browser.close());
    const { page, context, projectId, countedActs, assertQuiet } = await openFiles(browser, 'Relief');
    const { dialog, publish, open } = dialogOf(page);
    await drop(page, await orthophoto());
    await page.getByRole('button', { name: words('preview.next.publish') }).click();
    await publish.click();
    await open.waitFor({ timeout: jobTimeoutMs });
    assert.equal(countedActs(), 2);

    await page.goto(`${url}/p/${projectId}/files`);
    await page.locator('h1').waitFor();
    countedActs();
    const sidecars = page.getByText(words('objects.belongsTo').replace('{name}', 'field.jpg'));
    await sidecars.nth(1).waitFor();
    await drop(page, [{ name: 'N48E010.hgt', content: plateau() }]);
    await page.getByRole('button', { name: words('preview.next.publish') }).click();
    await dialog.getByLabel(words('quick-publish.where')).selectOption({ index: 1 });
    await publish.click();
    await open.waitFor({ timeout: jobTimeoutMs });
    assert.equal(countedActs(), 2, 'the clicks beside the choice of the map');
    const address = new URL((await open.getAttribute('href'))!, url).href;
    assertQuiet();
    await context.close();

    const { visitor, seen } = await visit(browser, address);
    const height = await untilHeight(visitor);
    // a coarse tile of a plateau is flat, and the globe beneath it is not
    assert.ok(Math.abs(height - plateauMetres - undulation) < 5, `the ground is at ${height} m`);
    await untilMiddle(
      visitor,
      { name: 'violet', row: 200 },
      ([red, green, blue]) => red > green + 60 && blue > green + 60,
    );
    assert.deepEqual(seen.complaints, []);
  },
);

test(
  'a folder of sheets that is dropped becomes one public map with its gap, in two clicks',
  { skip: executable === undefined && howToGetIt, timeout: 400_000 },
  async (t) => {
    const { url } = await sharedService();
    const browser = await sharedBrowser(executable!, { map: true });
    t.after(() => browser.close());
    const folder = await mkdtemp(join(tmpdir(), 'platen-sheets-'));
    t.after(() => rm(folder, { recursive: true }));
    await writeSheets(join(folder, 'sheets'));
    const { page, context, countedActs, assertQuiet } = await openFiles(browser, 'Sheets');
    await dropFolder(page, join(folder, 'sheets'));
    await page.getByRole('heading', { name: 'sheets', level: 2 }).waitFor();
    await page.getByRole('button', { name: '1 problem' }).waitFor();
    const preview = page.locator('canvas').first();
    // gaps are orange, sheets and the sea bluish
    const isGap = ([red, , blue]: Colour) => red > blue + 30;
    while (!isGap(await middleOf(preview))) await setTimeout(100);
    const { publish, open } = dialogOf(page);
    await page.getByRole('button', { name: words('preview.next.publish') }).click();
    await publish.click();
    await open.waitFor({ timeout: jobTimeoutMs });
    assert.equal(countedActs(), 2);
    const address = new URL((await open.getAttribute('href'))!, url).href;
    assertQuiet();
    await context.close();

    const { visitor, seen } = await visit(browser, address);
    const isOf = ([red, green, blue]: Colour, i: number): boolean =>
      i === gap ? blue > red + 20 : red > 240 && Math.abs(green - greenOf(i)) < 10 && blue < 60;
    await untilColours(visitor, middles, isOf);
    assert.deepEqual(seen.complaints, []);
  },
);

test(
  'a height model that does not say what its heights count from asks for it once, and becomes a coloured relief',
  { skip: executable === undefined && howToGetIt, timeout: 400_000 },
  async (t) => {
    const { client, url } = await sharedService();
    const browser = await sharedBrowser(executable!, { map: true });
    t.after(() => browser.close());
    const { page, context, projectId, countedActs, assertQuiet } = await openFiles(browser, 'Ground');
    await drop(page, [{ name: 'ground.tif', content: slope() }]);
    await page.getByRole('button', { name: words('preview.next.publish') }).click();
    const { dialog, publish, open } = dialogOf(page);
    const question = dialog.getByRole('group', { name: words('quick-publish.heights.ask') });
    await question.waitFor();
    assert.ok(await publish.isDisabled());
    assert.equal(await question.locator('svg').count(), 2, 'a cross-section of each answer');
    assert.deepEqual(await violationsOf(page), []);
    await question.getByRole('radio', { name: words('quick-publish.heights.ellipsoid') }).click();
    await publish.click();
    await open.waitFor({ timeout: jobTimeoutMs });
    assert.equal(countedActs(), 3);
    const address = new URL((await open.getAttribute('href'))!, url).href;

    const { items } = await client.getProjectDatasources({ params: { projectId } });
    await page.goto(`${url}/p/${projectId}/datasources/${items[0]!._id}`);
    await page.locator('canvas').first().click();
    const heightOf = async (name: string) => {
      const term = page.getByText(words(`datasources.${name}`), { exact: true });
      return Number.parseFloat(await term.locator('xpath=following-sibling::dd').innerText());
    };
    const height = await heightOf('heightAboveEllipsoid');
    assert.ok(Math.abs(height - middleMetres) < 60, `${height} m where the map was clicked`);
    assert.ok(Math.abs((await heightOf('heightAboveSea')) - height + undulation) < 0.3);
    assertQuiet();
    await context.close();

    const { visitor, seen } = await visit(browser, address);
    const shown = await untilHeight(visitor);
    assert.ok(Math.abs(shown - middleMetres) < 5, `the ground is at ${shown} m`);
    // the base map is light grey, and atlases are brown here
    await untilMiddle(visitor, { name: 'brown', row: 200 }, ([red, , blue]) => red > blue + 22);
    assert.deepEqual(seen.complaints, []);
  },
);

/** Opens the files of a new project; its acts are counted from then on. */
async function openFiles(browser: Browser, name: string) {
  const { client, url } = await sharedService();
  const body = { name, description: '', bbox: [3, 48, 11, 56] };
  const { _id: projectId } = await client.postProject({ body });
  const shown = await openInterface(browser, { url });
  await shown.page.goto(`${url}/p/${projectId}/files`);
  await shown.page.locator('h1').waitFor();
  shown.countedActs();
  return { ...shown, projectId };
}

function dialogOf(page: Page) {
  const dialog = page.getByRole('dialog', { name: words('quick-publish.title') });
  return {
    dialog,
    publish: dialog.getByRole('button', { name: words('quick-publish.action') }),
    open: dialog.getByRole('link', { name: words('quick-publish.openMap') }),
  };
}

/** Opens a public map as somebody without a login, and waits until its picture is gone. */
async function visit(browser: Browser, address: string) {
  const { url } = await sharedService();
  const visitor = await browser.newPage({ viewport: { width: 480, height: 400 }, locale: 'en-GB' });
  const seen = watch(visitor, url);
  await visitor.goto(address);
  await visitor.waitForFunction(isStarted, undefined, { timeout: startTimeoutMs, polling: 100 });
  await visitor.locator('#poster').waitFor({ state: 'detached' });
  return { visitor, seen };
}

async function middleOf(canvas: Locator): Promise<Colour> {
  const { data, info } = await sharp(await canvas.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = ((info.height >> 1) * info.width + (info.width >> 1)) * 3;
  return [data[at]!, data[at + 1]!, data[at + 2]!];
}

/** Three by three sheets in the North Sea, the one in the middle missing. */
const sheetDegrees = 0.04;
const [sheetsWest, sheetsNorth] = [4, 55];
const gap = 4;
const greenOf = (i: number): number => 25 * i;
const middles = Array.from({ length: 9 }, (_, i): Place => [
  sheetsWest + ((i % 3) + 0.5) * sheetDegrees,
  sheetsNorth - (Math.floor(i / 3) + 0.5) * sheetDegrees,
]);

async function writeSheets(folder: string): Promise<void> {
  await mkdir(folder);
  for (const [i, [lon, lat]] of middles.entries()) {
    if (i === gap) continue;
    const side = 40;
    const pixel = sheetDegrees / side;
    const background = { r: 255, g: greenOf(i), b: 30 };
    const image = sharp({ create: { width: side, height: side, channels: 3, background } });
    await image.jpeg({ chromaSubsampling: '4:4:4' }).toFile(join(folder, `${i}.jpg`));
    const left = lon - sheetDegrees / 2 + pixel / 2;
    const top = lat + sheetDegrees / 2 - pixel / 2;
    await writeFile(join(folder, `${i}.jgw`), [pixel, 0, 0, -pixel, left, top].join('\n'));
    await writeFile(join(folder, `${i}.prj`), crs);
  }
}

const middleMetres = 650;

/** A GeoTIFF of ground that falls by 5 m a cell to the east. */
function slope(): Buffer {
  const side = 100;
  const sample = (x: number) => middleMetres + 5 * (side / 2 - x);
  const step = 0.001;
  return writeTiff({
    images: [{ width: side, height: side, bits: 32, sampleFormat: 3, sample }],
    keys: keysOf(4326, 2),
    scale: [step, step],
    tie: [0, 0, 0, longitude - (side / 2) * step, latitude + (side / 2) * step, 0],
  });
}

/** Metres of the drawn ground above the ellipsoid in the middle, when it has its tiles. */
async function untilHeight(page: Page): Promise<number> {
  const read = (place: readonly [number, number]): number | undefined => {
    interface Globe {
      readonly tilesLoaded: boolean;
      getHeight(place: { longitude: number; latitude: number; height: number }): number | undefined;
    }
    const { vcs } = globalThis as unknown as {
      vcs: { getFirstApp(): { maps: { activeMap: { getScene(): { globe: Globe } } } } };
    };
    const { globe } = vcs.getFirstApp().maps.activeMap.getScene();
    const [longitude, latitude] = place.map((degrees) => (degrees * Math.PI) / 180) as [number, number];
    const height = globe.getHeight({ longitude, latitude, height: 0 });
    return globe.tilesLoaded && height !== undefined && height > 100 ? height : undefined;
  };
  const handle = await page.waitForFunction(read, [longitude, latitude] as const, {
    timeout: startTimeoutMs,
    polling: 500,
  });
  return (await handle.jsonValue())!;
}
