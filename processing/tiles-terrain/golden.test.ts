import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { afterFile } from '../../checks/clean-up.ts';
import { heightInMesh, openTerrain, runTerrain, writeCells } from './testing.ts';
import { tilesTerrainType } from './type.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-terrain-golden-'));
afterFile(() => rm(folder, { recursive: true }));

/** An update copies tiles that another run of the same version has made. */
const golden = { version: 6, tiles: '7e19f89cd175be1367169719aee5dd6b64fd63191c2adfa5a80d8770cce4cbe0' };

const hills = await writeCells(
  join(folder, 'hills.asc'),
  (column, row) => 300 + 40 * Math.sin(column / 7) + ((column * row) % 13),
  80,
);

/** Around the middle of the cells. */
function* placesAt(z: number): Generator<[x: number, y: number]> {
  const size = 180 / 2 ** z;
  const [column, row] = [Math.floor((180 + 11.04) / size), Math.floor((90 - 49.04) / size)];
  for (let x = column - 1; x <= column + 1; x++) for (let y = row - 1; y <= row + 1; y++) yield [x, y];
}

test('tiles are those of their version: where bytes change, the version has to', async () => {
  const run = await runTerrain([hills]);
  const terrain = await openTerrain(join(run.outputFolder, 'tiles.pmtiles'));
  const hash = createHash('sha256');
  let count = 0;
  for (let z = 0; z < terrain.archive.header.maxZoom; z++)
    for (const [x, y] of placesAt(z)) {
      const tile = x < 0 || y < 0 ? undefined : await terrain.tile(z, x, y);
      if (!tile) continue;
      hash.update(`${z}/${x}/${y}`).update(tile);
      count++;
    }
  assert.ok(count > 20, `${count} tiles`);
  assert.deepEqual({ version: tilesTerrainType.version, tiles: hash.digest('hex') }, golden);
  await terrain.close();
  await run.remove();
});

test('heights are exaggerated as they are given, and moved by an offset', async () => {
  const flat = await writeCells(join(folder, 'flat.asc'), () => 100, 40);
  const run = await runTerrain([flat], { heights: { vertical: 'ellipsoid', exaggeration: 3, offset: 5 } });
  const terrain = await openTerrain(join(run.outputFolder, 'tiles.pmtiles'));
  const z = terrain.archive.header.maxZoom - 1;
  const size = 180 / 2 ** z;
  const [column, row] = [(180 + 11.02) / size, (90 - 49.02) / size];
  const mesh = await terrain.mesh(z, Math.floor(column), Math.floor(row));
  const height = heightInMesh(mesh, column % 1, 1 - (row % 1));
  assert.ok(Math.abs(height - 305) < 0.1, `${height}`);
  await terrain.close();
  await run.remove();
});
