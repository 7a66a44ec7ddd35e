import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysRecord, writeLas } from '@platen/formats/las/testing';
import { gardenPoints, readGardenCopc } from '@platen/formats/las/testing-copc';
import type { Page } from 'playwright-core';
import { afterFile } from '../checks/clean-up.ts';
import { unchanged } from '../checks/costly-tests.ts';
import { findChromium, howToGetIt } from './chromium.ts';
import { startTimeoutMs } from './testing-engines.ts';
import { type Colour, lookAt, openGlobeApp, untilMiddle } from './testing-globe-app.ts';
import { newProject, runSuggestedTask, upload, type MadeDatasource } from './testing-jobs.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const browser = executable === undefined ? undefined : await sharedBrowser(executable, { map: true });
afterFile(() => browser?.close());

const utm = keysRecord([
  [1024, 0, 1, 1],
  [3072, 0, 1, 25832],
  [4096, 0, 1, 7837],
]);

/** A blue plain of 60 m, all of it ground, in four densities. */
const plain = Array.from({ length: 160_000 }, (_, i) => ({
  x: 690_000 + (i % 400) * 0.15,
  y: 5_540_000 + Math.floor(i / 400) * 0.15,
  z: 300,
  intensity: i % 2 === 0 ? 100 : 4000,
  classification: i === 0 ? 6 : 2,
  colour: [0, 0, 65_535] as const,
}));

interface Clouds {
  readonly plain: MadeDatasource;
  /** Of a COPC: green ground beside the plain. */
  readonly garden: MadeDatasource;
}

let made: Promise<Clouds> | undefined;
async function makeClouds(): Promise<Clouds> {
  const bucket = await newProject('Points');
  await upload(bucket, {
    'plain.las': writeLas({ pointFormat: 2, points: plain, records: [utm] }),
    'garden.copc.laz': await readGardenCopc(),
  });
  return {
    plain: await runSuggestedTask(bucket, 'plain.las', 'platenTilesPointcloud'),
    garden: await runSuggestedTask(bucket, 'garden.copc.laz', 'platenTilesPointcloud'),
  };
}

/** The middle of a cloud that stands on the ellipsoid. */
function groundOf({ datasource: { bbox, properties } }: MadeDatasource): number[] {
  const [ground = NaN] = properties!['heightRange'] as number[];
  assert.ok(Math.abs(ground) < 1, 'it stands on the ellipsoid, as the map has no terrain');
  return [(bbox![0]! + bbox![2]!) / 2, (bbox![1]! + bbox![3]!) / 2, ground];
}

async function layerOf({ projectId, datasourceId }: MadeDatasource, name: string): Promise<object> {
  const { client } = await sharedService();
  const layer = await client.getProjectDatasourceConfig({ params: { projectId, datasourceId } });
  assert.equal(layer['type'], 'PointCloudLayer');
  return { ...layer, name, activeOnStartup: true };
}

/** In metres: from where the coarsest tile is enough to where all are needed. */
const distances = [240, 170, 85, 25];

const older = unchanged('older engines');
for (const [mapVersion, leftOut] of [
  ['^6', false],
  ['~6.2', older],
  ['^5', older],
] as const)
  test(
    `a point cloud becomes a map of ${mapVersion} by what its inspection suggests: no holes from far and near, and its style changes to classes, intensities and back; one of a COPC stands beside it`,
    { skip: skip || leftOut, timeout: 3 * startTimeoutMs },
    async () => {
      const { plain, garden } = await (made ??= makeClouds());
      const { properties } = plain.datasource;
      assert.equal(properties!['pointCount'], 160_000);
      assert.equal(garden.datasource.properties!['pointCount'], gardenPoints);
      const groundPosition = groundOf(plain);
      const { page, seen, close } = await openGlobeApp(browser!, {
        projectId: plain.projectId,
        mapVersion,
        module: {
          layers: [await layerOf(plain, 'plain'), await layerOf(garden, 'garden')],
          styles: properties!['styles'],
        },
        groundPosition,
        distance: distances[0]!,
      });
      try {
        const isBlue = ([red, , blue]: Colour): boolean => blue > 60 && red < 60;
        for (const distance of distances) {
          if (distance !== distances[0])
            await lookAt(page, { groundPosition, distance, pitch: -60, heading: 0, animate: false });
          await untilSquare(page, `blue from ${distance} m`, isBlue);
        }
        await page.evaluate(setStyle, 'Classification');
        // the brown of ground
        await untilSquare(
          page,
          'brown',
          ([red, green, blue]) => red > blue + 30 && red > green && green > blue,
        );
        await page.evaluate(setStyle, 'Intensity');
        await untilSquare(page, 'grey', (colour) => Math.max(...colour) - Math.min(...colour) < 12);
        await page.evaluate(setStyle, 'Colour');
        await untilSquare(page, 'blue again', isBlue);
        const view = {
          groundPosition: groundOf(garden),
          distance: 70,
          pitch: -60,
          heading: 0,
          animate: false,
        };
        await lookAt(page, view);
        await untilSquare(page, 'green', ([red, green, blue]) => green > 60 && red < 60 && blue < 60);
        assert.deepEqual(seen.complaints, []);
      } finally {
        await close();
      }
    },
  );

/** Runs in the page. */
async function setStyle(name: string): Promise<void> {
  const { vcs } = globalThis as unknown as { vcs: { getFirstApp(): EngineApp } };
  const app = vcs.getFirstApp();
  for (const layer of app.layers) await layer.setStyle?.(app.styles.getByKey(name));
}

interface EngineApp {
  readonly layers: Iterable<{ readonly setStyle?: (style: unknown) => Promise<void> | void }>;
  readonly styles: { getByKey(name: string): unknown };
}

/** A square in the middle of the map, above its foot, without a hole; the viewer darkens edges between points. */
const untilSquare = (page: Page, name: string, isWanted: (colour: Colour) => boolean) =>
  untilMiddle(page, { name, side: 40, row: 146 }, isWanted);
