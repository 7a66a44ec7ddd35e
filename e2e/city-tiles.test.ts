import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FreeForm } from '@platen/contract/schema';
import type { Page } from 'playwright-core';
import { afterFile } from '../checks/clean-up.ts';
import { unchanged } from '../checks/costly-tests.ts';
import { cityGml, houseXml, housesInRows } from '../processing/tiles-object/testing-models.ts';
import { gmlOfSamples } from '../processing/tiles-object/testing-gml-samples.ts';
import { sampleObjects, type SampleObject } from '../processing/tiles-object/testing-samples.ts';
import { findChromium, howToGetIt } from './chromium.ts';
import { isStarted, startTimeoutMs } from './testing-engines.ts';
import { openGlobeApp } from './testing-globe-app.ts';
import {
  newProject,
  runSuggestedTask,
  runTask,
  upload,
  type Bucket,
  type MadeDatasource,
} from './testing-jobs.ts';
import { sharedBrowser } from './testing-shared.ts';
import {
  hide,
  highlight,
  loadedTiles,
  setStyle,
  showAgain,
  type ShownFeature,
  type ShownTile,
} from './testing-tileset-page.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const browser = executable === undefined ? undefined : await sharedBrowser(executable, { map: true });
afterFile(() => browser?.close());

const houses = housesInRows(48, 8);
/** Objects of all classes and levels of detail, around the houses. */
const samples = sampleObjects('2.0');
const rowOf = (i: number, street: string) => ({
  id: `house_${i}`,
  class: 'Building',
  [street]: `Gasse ${i}`,
  measuredHeight: 6 + (i % 5) / 4,
  storeysAboveGround: 1 + (i % 3),
});
const rowOfSample = ({ id, class: name, shape, lod, attributes }: SampleObject, street: string) => {
  const { Straße, ...others } = attributes;
  return { id, class: name, ...others, [street]: Straße, ...(shape === 'terrain' && { lod }) };
};

let made: Promise<Bucket> | undefined;
async function makeBucket(): Promise<Bucket> {
  const bucket = await newProject('Town');
  const [town, others] = [cityGml(houses.map(houseXml).join('')), gmlOfSamples('2.0', samples)];
  await upload(bucket, { 'town.gml': town, 'samples.gml': others });
  return bucket;
}

/** A tileset of the town and the samples, on the ellipsoid. */
async function makeTileset(features: number, version: '1.0' | '1.1', target?: FreeForm) {
  const bucket = await (made ??= makeBucket());
  const input = ['town.gml', 'samples.gml'].map((dataBucketKey) => ({
    type: 'internal',
    dataBucketId: bucket.dataBucketId,
    dataBucketKey,
  }));
  const options = { input, heights: { mode: 'flat' }, tiling: { features }, output: { version } };
  return runTask(bucket.projectId, 'platenTilesObject', options, target);
}

async function openTown(
  { projectId, datasourceId, datasource }: MadeDatasource,
  mapVersion: string,
  module: object = {},
) {
  const { bbox } = datasource;
  return openGlobeApp(browser!, {
    projectId,
    mapVersion,
    module: {
      layers: [{ type: 'CesiumTilesetLayer', name: 'city', datasourceId, activeOnStartup: true }],
      ...module,
    },
    groundPosition: [(bbox![0]! + bbox![2]!) / 2, (bbox![1]! + bbox![3]!) / 2, 5],
    distance: 600,
  });
}

const older = unchanged('older engines');
for (const [mapVersion, version, leftOut] of [
  ['^6', '1.1', false],
  ['~6.2', '1.1', older],
  ['^5', '1.0', older],
] as const) {
  test(
    `every tile is loaded by ${mapVersion}, with the attributes of the source; objects are hidden and isolated`,
    { skip: skip || leftOut, timeout: 3 * startTimeoutMs },
    async () => {
      const { page, seen, close } = await openTown(await makeTileset(8, version), mapVersion);
      try {
        const tiles = await loadedTiles(page);
        assert.ok(tiles.length > 8, `${tiles.length} tiles`);
        const found = finest(tiles).map(({ attributes: { attributes, ...all } }) => {
          const own = withoutMissing(all);
          if (version === '1.0') assert.deepEqual({ id: own['id'], ...(attributes as object) }, own);
          return own;
        });
        // property tables have ids of letters and digits
        const street = version === '1.0' ? 'Straße' : 'Strasse';
        const rows = [
          ...houses.map((_, i) => rowOf(i, street)),
          ...samples.map((sample) => rowOfSample(sample, street)),
        ];
        assert.deepEqual(found.toSorted(byId), rows.toSorted(byId));
        await page.evaluate(hide, 'house_3');
        await untilShown(page, ({ id }) => id !== 'house_3');
        await page.evaluate(showAgain, 'house_3');
        await untilShown(page, () => true);
        await page.evaluate(setStyle, { show: '${storeysAboveGround} === 2' });
        await untilShown(page, ({ storeysAboveGround }) => storeysAboveGround === 2);
        assert.deepEqual(seen.complaints, []);
      } finally {
        await close();
      }
    },
  );
}

test(
  'a style, a hidden object and a highlighted one are the same after other tiles have been made',
  { skip, timeout: 4 * startTimeoutMs },
  async () => {
    const before = await makeTileset(8, '1.1');
    const style = {
      type: 'DeclarativeStyleItem',
      name: 'one street',
      declarativeStyle: {
        color: {
          conditions: [
            ["${Strasse} === 'Gasse 7'", "color('#ff0000')"],
            ['true', "color('#ffffff')"],
          ],
        },
      },
    };
    const layer = { type: 'CesiumTilesetLayer', name: 'city', datasourceId: before.datasourceId };
    const { page, seen, close } = await openTown(before, '^6', {
      styles: [style],
      layers: [{ ...layer, activeOnStartup: true, style: 'one street' }],
      hiddenObjects: [{ id: 'house_3' }],
    });
    try {
      const first = await lookOfTown(page);
      assert.deepEqual(first, { hidden: ['house_3'], red: ['house_7'], green: ['house_11'] });
      const { datasourceId } = before;
      const again = await makeTileset(20, '1.1', { command: 'update', datasourceId });
      assert.equal(again.datasourceId, datasourceId);
      const old = await loadedTiles(page);
      await page.reload();
      await page.waitForFunction(isStarted, undefined, { timeout: startTimeoutMs, polling: 100 });
      assert.deepEqual(await lookOfTown(page), first);
      assert.ok((await loadedTiles(page)).length < old.length, 'these are other tiles');
      assert.deepEqual(seen.complaints, []);
    } finally {
      await close();
    }
  },
);

/** The ids of houses by how they look, once one of them has been highlighted in green by its id, and one is hidden. */
async function lookOfTown(page: Page) {
  await loadedTiles(page);
  await page.evaluate(highlight, 'house_11');
  await untilShown(page, ({ id }) => id !== 'house_3');
  const idsOf = (
    isWanted: (feature: ShownFeature) => boolean,
    features: readonly ShownFeature[],
  ): unknown[] => features.filter(isWanted).map(({ attributes }) => attributes['id']);
  for (const end = Date.now() + startTimeoutMs; ; await page.waitForTimeout(250)) {
    const features = finest(await loadedTiles(page));
    const red = idsOf(({ colour }) => colour === '#ff0000', features);
    const green = idsOf(({ colour }) => colour === '#00ff00', features);
    const hidden = idsOf(({ isShown }) => !isShown, features);
    if ((red.length > 0 && green.length > 0) || Date.now() > end) return { hidden, red, green };
  }
}

const sharedData = process.env['PLATEN_SAMPLE_DATA'] ?? join(import.meta.dirname, '../../shared/data');

for (const file of ['tamana-49303425.gml', 'delft.city.json']) {
  const path = join(sharedData, 'city', file);
  const missing = !existsSync(path) && 'the data are not here';
  for (const [mapVersion, leftOut] of [
    ['^6', false],
    ['~6.2', older],
  ] as const)
    test(
      `every tile of ${file} is loaded by ${mapVersion}, with each object once and its attributes`,
      { skip: skip || missing || leftOut, timeout: 4 * startTimeoutMs },
      async () => {
        const content = await readFile(path);
        const bucket = await newProject(file);
        await upload(bucket, { [file]: content });
        const town = await runSuggestedTask(bucket, file, 'platenTilesObject');
        const { page, seen, close } = await openTown(town, mapVersion);
        try {
          const shown = finest(await loadedTiles(page)).map(({ attributes }) => attributes);
          assert.equal(new Set(shown.map(({ id }) => id)).size, shown.length);
          assert.equal(shown.length, town.datasource.properties!['featureCount']);
          if (file.endsWith('.json'))
            assertSource(shown, JSON.parse(String(content)) as CityJson, town.datasource);
          else assertGml(shown, String(content), town.datasource);
          assert.deepEqual(seen.complaints, []);
        } finally {
          await close();
        }
      },
    );
}

interface CityJson {
  readonly CityObjects: Readonly<Record<string, { readonly attributes: Readonly<Record<string, unknown>> }>>;
}

/** Objects have the attributes that they have in a CityJSON, of which the datasource tells the ids in tiles. */
function assertSource(
  shown: readonly ShownFeature['attributes'][],
  { CityObjects }: CityJson,
  { properties }: MadeDatasource['datasource'],
): void {
  const fields = properties!['fields'] as readonly { readonly name: string; readonly title?: string }[];
  const ids = new Map(fields.map(({ name, title = name }) => [title, name]));
  // every object has a class of its own
  const idOf = (name: string): string | undefined => ids.get(name === 'class' ? 'attribute.class' : name);
  for (const attributes of shown) {
    const source = Object.entries(CityObjects[String(attributes['id'])]!.attributes);
    const values = source.filter(([, value]) => value !== null && value !== '');
    assert.deepEqual(
      values.map(([name]) => [name, attributes[idOf(name) ?? '']]),
      values,
    );
  }
}

const withoutMissing = (attributes: ShownFeature['attributes']): ShownFeature['attributes'] =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined));

const ofBuildings =
  /<bldg:(measuredHeight|yearOfConstruction|storeys(?:Above|Below)Ground)(?: [^>]*)?>([^<]+)<|<gen:stringAttribute name="([^"]+)"><gen:value>([^<]+)</g;

/** Buildings have the numbers and texts that the CityGML says, read without a parser. */
function assertGml(
  shown: readonly ShownFeature['attributes'][],
  gml: string,
  { properties }: MadeDatasource['datasource'],
): void {
  const fields = properties!['fields'] as readonly { readonly name: string; readonly title?: string }[];
  const ids = new Map(fields.map(({ name, title = name }) => [title, name]));
  const byId = new Map(shown.map((attributes) => [attributes['id'], attributes]));
  const buildings = gml.split('<bldg:Building gml:id="').slice(1);
  assert.equal(buildings.length, shown.length);
  for (const building of buildings) {
    const attributes = byId.get(building.slice(0, building.indexOf('"')))!;
    const values = [...building.matchAll(ofBuildings)].map(
      ([, name, number, title, text]): [string, unknown] =>
        name === undefined ? [title!, text] : [name, Number(number)],
    );
    assert.ok(values.length > 1);
    assert.deepEqual(
      values.map(([name]) => [name, attributes[ids.get(name) ?? '']]),
      values,
    );
  }
}

const byId = (a: { readonly id?: unknown }, b: { readonly id?: unknown }): number =>
  String(a.id) < String(b.id) ? -1 : 1;

/** Coarser tiles are not drawn. */
const finest = (tiles: readonly ShownTile[]): ShownFeature[] =>
  tiles.filter(({ isLeaf }) => isLeaf).flatMap(({ features }) => features);

/** Until those features are shown, and no others. */
async function untilShown(
  page: Page,
  isWanted: (attributes: ShownFeature['attributes']) => boolean,
): Promise<void> {
  let wrong: unknown[] = [];
  for (const end = Date.now() + startTimeoutMs; Date.now() < end; await page.waitForTimeout(250)) {
    wrong = finest(await loadedTiles(page)).filter(
      ({ attributes, isShown }) => isShown !== isWanted(attributes),
    );
    if (wrong.length === 0) return;
  }
  assert.deepEqual(wrong, []);
}
