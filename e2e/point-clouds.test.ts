import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysRecord, writeLas } from '@platen/formats/las/testing';
import type { Page } from 'playwright-core';
import { afterFile } from '../checks/clean-up.ts';
import { findChromium, howToGetIt } from './chromium.ts';
import { startTimeoutMs } from './testing-engines.ts';
import { type Colour, openGlobeApp, untilMiddle } from './testing-globe-app.ts';
import { newProject, runSuggestedTask, upload } from './testing-jobs.ts';
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

test(
  'a point cloud becomes a map by what its inspection suggests, whose style changes to classes and back',
  { skip, timeout: 3 * startTimeoutMs },
  async () => {
    const bucket = await newProject('Points');
    await upload(bucket, { 'plain.las': writeLas({ pointFormat: 2, points: plain, records: [utm] }) });
    const made = await runSuggestedTask(bucket, 'plain.las', 'platenTilesPointcloud');
    const { projectId, datasourceId } = made;
    const { bbox, properties } = made.datasource;
    assert.equal(properties!['pointCount'], 160_000);
    const [ground = NaN] = properties!['heightRange'] as number[];
    assert.ok(Math.abs(ground) < 1, 'it stands on the ellipsoid, as the map has no terrain');
    const { client } = await sharedService();
    const layer = await client.getProjectDatasourceConfig({ params: { projectId, datasourceId } });
    assert.equal(layer['type'], 'PointCloudLayer');
    const { page, seen, close } = await openGlobeApp(browser!, {
      projectId,
      module: { layers: [{ ...layer, activeOnStartup: true }], styles: properties!['styles'] },
      groundPosition: [(bbox![0]! + bbox![2]!) / 2, (bbox![1]! + bbox![3]!) / 2, ground],
      distance: 60,
    });
    try {
      await untilSquare(page, 'blue', ([red, , blue]) => blue > 60 && red < 60);
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
      await untilSquare(page, 'blue again', ([red, , blue]) => blue > 60 && red < 60);
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

/** A square without a hole; the viewer darkens edges between points. */
const untilSquare = (page: Page, name: string, isWanted: (colour: Colour) => boolean) =>
  untilMiddle(page, { name, side: 40 }, isWanted);
