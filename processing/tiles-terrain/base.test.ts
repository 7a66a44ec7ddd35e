import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { afterFile } from '../../checks/clean-up.ts';
import { JobFailure, type JobInput } from '../job-type.ts';
import { isLikeFull, runUpdate, withContent } from '../raster-source/testing-updates.ts';
import { openSheetTests } from '../raster-source/testing.ts';
import { runTilesTerrain } from './run.ts';
import { heightInMesh, openTerrain, runTerrain, writeCells, type TerrainInput } from './testing.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-terrain-base-'));
afterFile(() => rm(folder, { recursive: true }));

const heights = { vertical: 'ellipsoid' };
const options = { heights, processing: { workers: 1 } };

/** 0.12° of slope from 1000 m to 1120 m, as an archive and as a folder. */
const wide = await writeCells(join(folder, 'wide.asc'), (column) => 1000 + column, 120);
const coarse = { ...options, mesh: { maxZoom: 10 } };
async function baseOf(format: 'pmtiles' | 'folder', name: string): Promise<TerrainInput> {
  const { outputFolder, result } = await runTerrain([wide], { ...coarse, output: { format } });
  if (format === 'folder') return { path: join(outputFolder, result.datasource!.path) };
  const path = join(folder, name);
  await copyFile(join(outputFolder, 'tiles.pmtiles'), path);
  await rm(outputFolder, { recursive: true });
  return { path };
}
const base = await baseOf('pmtiles', 'base.pmtiles');
/** 0.04° of it, 200 m high. */
const sheet = await writeCells(join(folder, 'sheet.asc'), () => 200, 40);

/** The height at a place, in the tile of the highest zoom that there is. */
async function heightAt(archive: string, [lon, lat]: readonly [number, number]): Promise<number> {
  const terrain = await openTerrain(archive);
  try {
    for (let z = 20; z >= 0; z--) {
      const [x, y] = [((lon + 180) / 180) * 2 ** z, ((90 - lat) / 180) * 2 ** z];
      if (!(await terrain.tile(z, Math.floor(x), Math.floor(y)))) continue;
      return heightInMesh(await terrain.mesh(z, Math.floor(x), Math.floor(y)), x % 1, 1 - (y % 1));
    }
    return NaN;
  } finally {
    await terrain.close();
  }
}

const isNear = (height: number, expected: number, metres: number): void =>
  assert.ok(Math.abs(height - expected) <= metres, `${height} m instead of ${expected} m`);

test('where the sheets have no data, the heights are those of the base, with a ramp from one to the other', async () => {
  for (const beneath of [base, await baseOf('folder', '')]) {
    const { outputFolder, warnings, result, remove } = await runTerrain([sheet, beneath], options);
    const archive = join(outputFolder, 'tiles.pmtiles');
    assert.deepEqual(warnings, []);
    isNear(await heightAt(archive, [11.02, 49.02]), 200, 1);
    // the base ends at zoom 10, whose cells are 0.003° wide; 5 m is its error
    isNear(await heightAt(archive, [11.1, 49.1]), 1100, 5);
    isNear(await heightAt(archive, [11.02, 49.1]), 1020, 5);
    const ramp = await heightAt(archive, [11.046, 49.02]);
    assert.ok(ramp > 250 && ramp < 1000, `${ramp} m in the ramp`);
    assert.deepEqual(
      result.datasource?.bbox?.map((degrees) => degrees.toFixed(2)),
      ['11.00', '49.00', '11.12', '49.12'],
    );
    await remove();
  }
});

test('holes are filled from the base, unless the options say how wide ones are filled', async () => {
  const holed = await writeCells(
    join(folder, 'holed.asc'),
    (column, row) => (column > 25 && column < 95 && row > 25 && row < 95 ? -9999 : 200),
    120,
  );
  const middle = [11.06, 49.06] as const;
  const fromBase = await runTerrain([holed, base], options);
  isNear(await heightAt(join(fromBase.outputFolder, 'tiles.pmtiles'), middle), 1060, 5);
  const filled = await runTerrain([holed, base], { ...options, fillHoles: 100 });
  isNear(await heightAt(join(filled.outputFolder, 'tiles.pmtiles'), middle), 200, 1);
  await fromBase.remove();
  await filled.remove();
});

test('a base that lies elsewhere, or is none, is told', async () => {
  const far = { ...wide, path: join(folder, 'far.asc') };
  await writeFile(
    far.path,
    `ncols 40\nnrows 40\nxllcorner 40\nyllcorner 10\ncellsize 0.001\n${'7 '.repeat(1600)}\n`,
  );
  const { warnings, remove } = await runTerrain([far, base], options);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['baseElsewhere'],
  );
  assert.match(warnings[0]!.message, /^base\.pmtiles lies elsewhere: its data end at 11, 49, /);
  await remove();
  const none = { path: join(folder, 'none.pmtiles') };
  await writeFile(none.path, 'no archive');
  const isRefused = (code: string, text: RegExp) => (error: unknown) =>
    error instanceof JobFailure && error.code === code && text.test(error.message);
  await assert.rejects(runTerrain([sheet, none]), isRefused('notRecognised', /^none\.pmtiles is no terrain/));
  const twice = { path: join(folder, 'other.pmtiles') };
  await copyFile(base.path, twice.path);
  await assert.rejects(runTerrain([sheet, base, twice]), isRefused('invalidOption', /are both terrain/));
});

test('an update on a base makes what a full run makes', async () => {
  const tests = await openSheetTests(runTilesTerrain);
  const inputOf = async ({ path, crs }: TerrainInput): Promise<JobInput> => ({
    ...(await withContent(await tests.inputOf(path))),
    ...(crs !== undefined && { crs }),
  });
  const other = await writeCells(join(folder, 'other.asc'), (column) => 300 + column, 30);
  const inputs = await Promise.all([sheet, base].map(inputOf));
  const changed = await Promise.all([sheet, other, base].map(inputOf));
  const former = await tests.run(inputs, options);
  const updated = await runUpdate((more) => tests.run(changed, options, more), former);
  await isLikeFull(updated, await tests.run(changed, options));
  await tests.remove();
});
