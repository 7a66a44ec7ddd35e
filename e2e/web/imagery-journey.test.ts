import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { findChromium, howToGetIt } from '../chromium.ts';
import { isStarted, startTimeoutMs, watch } from '../testing-engines.ts';
import { untilMiddle } from '../testing-globe-app.ts';
import { sharedBrowser, sharedService } from '../testing-shared.ts';
import { openInterface } from './testing-interface.ts';
import { drop, type DroppedFile } from './testing-user-driver.ts';
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

/** A violet field of about a fifth of a degree, in degrees. */
async function orthophoto(): Promise<DroppedFile[]> {
  const side = 200;
  const image = sharp({
    create: { width: side, height: side, channels: 3, background: { r: 150, g: 30, b: 160 } },
  });
  const lines = [0.001, 0, 0, -0.001, longitude - 0.1, latitude + 0.1];
  const crs =
    'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]]';
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
    const { client, url } = await sharedService();
    const browser = await sharedBrowser(executable!, { map: true });
    t.after(() => browser.close());
    const { _id: projectId } = await client.postProject({
      body: { name: 'Relief', description: '', bbox: [10, 48, 11, 49] },
    });
    const { page, context, countedActs, assertQuiet } = await openInterface(browser, { url });
    const dialog = page.getByRole('dialog', { name: words('quick-publish.title') });
    const publish = dialog.getByRole('button', { name: words('quick-publish.action') });
    const open = dialog.getByRole('link', { name: words('quick-publish.openMap') });
    await page.goto(`${url}/p/${projectId}/files`);
    await page.locator('h1').waitFor();
    countedActs();

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

    const visitor = await browser.newPage({ viewport: { width: 480, height: 400 }, locale: 'en-GB' });
    const seen = watch(visitor, url);
    await visitor.goto(address);
    await visitor.waitForFunction(isStarted, undefined, { timeout: startTimeoutMs, polling: 100 });
    await visitor.locator('#poster').waitFor({ state: 'detached' });
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
