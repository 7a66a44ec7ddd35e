import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { styleItem } from '@platen/styles/style-item';
import { afterFile } from '../checks/clean-up.ts';
import { cityGml, houseXml } from '../processing/tiles-object/testing-models.ts';
import { findChromium, howToGetIt } from './chromium.ts';
import { startTimeoutMs } from './testing-engines.ts';
import { openGlobeApp, untilMiddle } from './testing-globe-app.ts';
import { newProject, runSuggestedTask, upload } from './testing-jobs.ts';
import { sharedBrowser } from './testing-shared.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const samples = process.env['PLATEN_SAMPLE_DATA'] ?? join(import.meta.dirname, '../../shared/data');
const browser = executable === undefined ? undefined : await sharedBrowser(executable, { map: true });
afterFile(() => browser?.close());

/** A house of 40 m a side, north of Bayreuth. */
const house = cityGml(
  houseXml({
    id: 'town-hall',
    at: [690_000, 5_540_000, 300],
    size: [40, 40, 20],
    more: '<gen:stringAttribute name="Straße"><gen:value>Marktplatz 1</gen:value></gen:stringAttribute>',
  }),
);

test(
  'a city model becomes a map by what its inspection suggests, a style colours it as its legend says, and a click tells the attributes',
  { skip, timeout: 2 * startTimeoutMs },
  async () => {
    const made = await tilesetOf('town.gml', Buffer.from(house));
    const { bbox, properties } = made.datasource;
    assert.equal(properties!['featureCount'], 1);
    const { page, seen, close } = await openGlobeApp(browser!, {
      projectId: made.projectId,
      module: moduleOf(made.datasourceId),
      groundPosition: [(bbox![0]! + bbox![2]!) / 2, (bbox![1]! + bbox![3]!) / 2, 10],
      distance: 120,
    });
    try {
      await untilMiddle(page, { name: 'a red roof' }, ([r, g, b]) => r > 120 && r > g + 40 && r > b + 40);
      await page.evaluate(setStyle, styleByStreet);
      await untilMiddle(
        page,
        { name: 'blue' },
        ([r, g, b]) => Math.abs(r - 40) < 25 && Math.abs(g - 90) < 30 && Math.abs(b - 200) < 45,
      );
      await page.mouse.click(200, 175);
      await page.getByText('Marktplatz 1').first().waitFor({ timeout: startTimeoutMs });
      assert.deepEqual(seen.complaints, []);
    } finally {
      await close();
    }
  },
);

/** The attribute is called `Straße`, its id in the tiles is `Strasse`. */
const styleByStreet = styleItem(
  {
    colour: {
      type: 'categories',
      attribute: 'Strasse',
      categories: [{ values: ['Marktplatz 1'], colour: '#285ac8' }],
      others: { colour: '#ffffff' },
    },
  },
  'object',
  { locale: 'en', others: 'Other', noValue: 'No value' },
);

/** Runs in the page. */
async function setStyle(options: object): Promise<void> {
  const core = (await import(new URL('assets/core.js', document.baseURI).href)) as {
    DeclarativeStyleItem: new (options: object) => object;
  };
  const { vcs } = globalThis as unknown as {
    vcs: { getFirstApp(): { layers: { getByKey(name: string): { setStyle(style: object): void } } } };
  };
  vcs.getFirstApp().layers.getByKey('city').setStyle(new core.DeclarativeStyleItem(options));
}

for (const [file, featureCount] of [
  ['tamana-49303425.gml', 242],
  ['delft.city.json', 570],
] as const) {
  const path = join(samples, 'city', file);
  test(
    `${file} becomes a tileset with all of its objects`,
    { skip: !existsSync(path) && 'the data are not here' },
    async () => {
      const { datasource } = await tilesetOf(file, await readFile(path));
      assert.equal(datasource.type, 'tileset');
      assert.equal(datasource.properties!['featureCount'], featureCount);
    },
  );
}

/** Uploads a model and runs the task that its inspection suggests. */
async function tilesetOf(key: string, content: Uint8Array) {
  const bucket = await newProject('City');
  await upload(bucket, { [key]: content });
  return runSuggestedTask(bucket, key, 'platenTilesObject');
}

const moduleOf = (datasourceId: string) => ({
  layers: [
    {
      type: 'CesiumTilesetLayer',
      name: 'city',
      datasourceId,
      activeOnStartup: true,
      properties: { featureInfo: 'balloon' },
    },
  ],
  featureInfo: [{ type: 'BalloonFeatureInfoView', name: 'balloon' }],
});
