import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packWithDraco } from '@platen/formats/mesh/draco/testing';
import { zipOfFiles } from '@platen/formats/zip/testing';
import sharp from 'sharp';
import { afterFile } from '../checks/clean-up.ts';
import { glbOfSurface, library, objOfSurface } from '../processing/tiles-mesh/testing-surface.ts';
import { findChromium, howToGetIt } from './chromium.ts';
import { startTimeoutMs } from './testing-engines.ts';
import { keepPicture, lookAt, openGlobeApp, untilMiddle, type Colour } from './testing-globe-app.ts';
import { newProject, runTask, upload } from './testing-jobs.ts';
import { sharedBrowser } from './testing-shared.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const browser = executable === undefined ? undefined : await sharedBrowser(executable, { map: true });
afterFile(() => browser?.close());

const surface = { side: 400, cells: 90 };
/** The origin of the surface, so that its middle is at 11.5°, 50°. */
const placement = { longitude: 11.497_21, latitude: 49.998_2, height: 50 };
/** Of the map, below which are buttons. */
const middleRow = 150;
/** Metres from the middle, and pixels of the square in the middle of the map that the surface covers. */
const views = [
  [150, 200],
  [450, 150],
  [1400, 60],
  [5000, 12],
] as const;

test(
  'a mesh in an OBJ and a GLB packed by Draco, tiled in levels of detail, covers the globe without a hole from near and far',
  { skip, timeout: 3 * startTimeoutMs },
  async () => {
    const bucket = await newProject('Mesh');
    const picture = await chessboard();
    const zip = zipOfFiles({
      'west.obj': objOfSurface(surface, [0, 0, 0.5, 1]),
      'east.glb': await packWithDraco(glbOfSurface(surface, [0.5, 0, 1, 1], picture)),
      'photo.mtl': library,
      'photo.png': picture,
    });
    await upload(bucket, { 'town.zip': zip });
    const { projectId, datasourceId, datasource } = await runTask(bucket.projectId, 'platenTilesMesh', {
      input: { type: 'internal', dataBucketId: bucket.dataBucketId, dataBucketKey: 'town.zip' },
      modelOptions: { placement },
      tiling: { triangles: 1000 },
    });
    assert.ok(Number(datasource.properties!['tileCount']) > 20);
    const groundPosition = [11.5, 50, 50];
    const { page, seen, close } = await openGlobeApp(browser!, {
      projectId,
      module: {
        layers: [{ type: 'CesiumTilesetLayer', name: 'mesh', datasourceId, activeOnStartup: true }],
      },
      groundPosition,
      distance: views[0][0],
    });
    try {
      for (const [distance, side] of views) {
        await lookAt(page, { groundPosition, distance, heading: 0, pitch: -60, roll: 0, animate: false });
        await untilMiddle(page, { name: `the mesh at ${distance} m`, side, row: middleRow }, isPainted);
        await keepPicture(page, `mesh-${distance}`);
      }
      assert.deepEqual(seen.complaints, []);
    } finally {
      await close();
    }
  },
);

/** Red or purple, as nothing else is. */
const isPainted = ([red, green, blue]: Colour): boolean => red > 110 && green < 80 && blue < red + 40;

function chessboard(): Promise<Buffer> {
  const side = 512;
  const pixels = Buffer.alloc(side * side * 3);
  for (let i = 0; i < side * side; i++) {
    const isOdd = (((i % side) >> 5) + (Math.floor(i / side) >> 5)) % 2 === 1;
    pixels.set(isOdd ? [220, 20, 20] : [170, 20, 170], i * 3);
  }
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}
