import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findChromium, howToGetIt } from '../chromium.ts';
import { sharedBrowser, sharedService } from '../testing-shared.ts';
import { openInterface } from './testing-interface.ts';
import { drop } from './testing-user-driver.ts';
import { wordsOf } from './testing-words.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const words = wordsOf('en');

const point = (x: number, y: number) => ({
  type: 'Feature',
  properties: { kind: x > 13.4 ? 'east' : 'west' },
  geometry: { type: 'Point', coordinates: [x, y] },
});
const textOf = (features: readonly object[]) => JSON.stringify({ type: 'FeatureCollection', features });
const trees = Array.from({ length: 80 }, (_, i) =>
  point(13.35 + (i % 10) / 100, 52.5 + Math.floor(i / 10) / 100),
);
const good = textOf(trees);
/** In an order that the list does not have. */
const files = [
  ...Array.from({ length: 28 }, (_, i) => ({ name: `sheet-${i}.geojson`, content: good })),
  { name: 'cut.geojson', content: good.slice(0, -200) },
  { name: 'stray.geojson', content: textOf([...trees, point(0, 0)]) },
];

test(
  'a drop of many files ends with a list that begins with those that need attention, and one outlier moves no map',
  { skip, timeout: 180_000 },
  async (t) => {
    const service = await sharedService();
    const browser = await sharedBrowser(executable!);
    t.after(() => browser.close());
    const { _id: projectId } = await service.client.postProject({
      body: { name: 'Dropped', description: '', bbox: [13, 52, 14, 53] },
    });
    const { page, expect, assertQuiet } = await openInterface(browser, service);
    expect(/status of 404.*object\/sample/); // of the file that cannot be read
    await page.goto(`${service.url}/p/${projectId}/files`);
    await page.locator('h1').waitFor();
    await drop(page, files);
    const result = page.getByRole('region', { name: words('objects.batch') });
    const summary = result.getByText(/^30 files inspected/);
    await summary.waitFor({ timeout: 60_000 });
    assert.equal(await summary.innerText(), '30 files inspected · 2 need attention');
    const names = await result.getByRole('listitem').getByRole('button').allInnerTexts();
    assert.equal(names.length, files.length);
    assert.deepEqual(names.slice(0, 2).toSorted(), ['cut.geojson', 'stray.geojson']);
    await result.getByRole('button', { name: 'stray.geojson' }).click();
    await page.getByText('is at 0.0000, 0.0000 (latitude, longitude), far from the others').waitFor();
    const map = await page.getByText(/81 features, from/).textContent();
    const [west, , east] = [...map!.matchAll(/-?\d+(?:\.\d+)?(?=°)/g)].map(([number]) => Number(number));
    assert.ok(west! > 13 && east! < 14, map!);
    assertQuiet();
  },
);
