import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { afterFile } from '../../checks/clean-up.ts';
import { heightInMesh, openTerrain, runTerrain } from './testing.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-terrain-places-'));
afterFile(() => rm(folder, { recursive: true }));

const size = 40;
const step = 0.005;

/** An ASCII grid in degrees with one height. */
async function writeFlat(name: string, corner: readonly [number, number], height: number) {
  const head = `ncols ${size}\nnrows ${size}\nxllcorner ${corner[0]}\nyllcorner ${corner[1]}\ncellsize ${step}\n`;
  const path = join(folder, name);
  await writeFile(path, `${head}${`${height} `.repeat(size * size)}\n`);
  return { path, crs: 'EPSG:4326' };
}

/** Heights of the highest zoom at places in degrees. */
async function heightsAt(outputFolder: string, places: readonly (readonly [number, number])[]) {
  const terrain = await openTerrain(join(outputFolder, 'tiles.pmtiles'));
  const tileDegrees = 180 / 2 ** (terrain.archive.header.maxZoom - 1);
  const heights: number[] = [];
  for (const [lon, lat] of places) {
    const [x, y] = [(lon + 180) / tileDegrees, (90 - lat) / tileDegrees];
    const mesh = await terrain.mesh(terrain.archive.header.maxZoom - 1, Math.floor(x), Math.floor(y));
    heights.push(heightInMesh(mesh, x % 1, 1 - (y % 1)));
  }
  await terrain.close();
  return heights;
}

for (const [what, corner, places] of [
  [
    'across the antimeridian from the east',
    [179.9, 49],
    [
      [179.95, 49.1],
      [-179.95, 49.1],
    ],
  ],
  [
    'across the antimeridian from the west',
    [-180.1, 49],
    [
      [179.95, 49.1],
      [-179.95, 49.1],
    ],
  ],
  [
    'up to the north pole',
    [11, 89.8],
    [
      [11.1, 89.9],
      [11.1, 89.99],
    ],
  ],
  [
    'up to the south pole',
    [11, -90],
    [
      [11.1, -89.9],
      [11.1, -89.99],
    ],
  ],
] as const)
  test(`data ${what} are terrain`, async () => {
    const grid = await writeFlat(`${corner.join('_')}.asc`, corner, 800);
    const { outputFolder, remove } = await runTerrain([grid], { heights: { vertical: 'ellipsoid' } });
    const heights = await heightsAt(outputFolder, places);
    for (const height of heights) assert.ok(Math.abs(height - 800) < 1, String(heights));
    await remove();
  });

test('heights in feet become metres', async () => {
  const grid = await writeFlat('feet.asc', [11, 49], 1000);
  const { outputFolder, remove } = await runTerrain([grid], {
    heights: { vertical: 'ellipsoid', unit: 'foot' },
  });
  const [height] = await heightsAt(outputFolder, [[11.1, 49.1]]);
  assert.ok(Math.abs(height! - 304.8) < 0.5, String(height));
  await remove();
});
