import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { findCrs } from '@platen/formats/crs/find-crs';
import { writeLas, type WrittenPoint } from '@platen/formats/las/testing';
import { geodeticOf } from '@platen/geo/geodesy/geocentric';
import { transformPosition } from '@platen/geo/geodesy/matrix';
import { openArchive } from '@platen/geo/pmtiles/archive';
import { afterFile } from '../../checks/clean-up.ts';
import { isLikeFull, runUpdate, withContent } from '../raster-source/testing-updates.ts';
import { tileAt } from '../terrain-source/terrain-heights.ts';
import { runTerrain, writeCells } from '../tiles-terrain/testing.ts';
import type { TilesPointcloudOptions } from './spec.ts';
import { openPointTests, readTileset, type PointRun } from './testing.ts';
import { noise, town, utm } from './testing-town.ts';

const tests = await openPointTests();
afterFile(() => tests.remove());

/** The terrain: a slope from 1000 m at 11° east to 1060 m at 11.06°. */
const slope = (lon: number): number => 1000 + (lon - 11) * 1000;
const [east, north] = [648_000, 5_431_000];

/** Ground as steep as the terrain, so far above it, with a wood on two thirds, and some points deep below. */
function hillside(count: number, above: number): WrittenPoint[] {
  const random = noise(7);
  const places = Array.from(
    { length: count },
    () => [east + random() * 400, north + random() * 300] as const,
  );
  const lonLat = Float64Array.from(places.flat());
  findCrs('EPSG:25832').toLonLat(lonLat, count);
  return places.map(([x, y], i) => {
    const isError = i % 1000 === 0;
    const isTree = x - east > 130 && random() < 0.7;
    const z = slope(lonLat[i * 2]!) + above + (isError ? -300 : isTree ? 5 + random() * 20 : 0);
    return { x: Math.round(x * 100) / 100, y: Math.round(y * 100) / 100, z: Math.round(z * 100) / 100 };
  });
}

const put = async (points: readonly WrittenPoint[], name = 'cloud.las') =>
  withContent(await tests.put(name, writeLas({ points: [...points], records: [utm] })));

/** Longitude, latitude and height of all points. */
async function placesIn(run: PointRun): Promise<[lon: number, lat: number, height: number][]> {
  const { tiles, transform } = await readTileset(run);
  return tiles.flatMap(({ places }) =>
    Array.from({ length: places.length / 3 }, (_, i) =>
      geodeticOf(transformPosition(transform, [places[i * 3]!, places[i * 3 + 1]!, places[i * 3 + 2]!])),
    ),
  );
}
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const tiny = { tiling: { pointsPerTile: 5000 } };
const optionsFor = (heights: TilesPointcloudOptions['heights']): TilesPointcloudOptions => ({
  ...tiny,
  heights: { vertical: 'ellipsoid', ...heights! },
});

test('heights as given count from the ellipsoid, in the unit that is set', async () => {
  const file = await put(town(3000, 1, [east, north]));
  const given = await placesIn(await tests.run([file], optionsFor({ mode: 'asGiven' })));
  assert.ok(Math.abs(Math.min(...given.map(([, , height]) => height)) - 95) < 0.3);
  const feet = await placesIn(await tests.run([file], optionsFor({ mode: 'asGiven', unit: 'foot' })));
  assert.ok(Math.abs(Math.min(...feet.map(([, , height]) => height)) - 95 * 0.3048) < 0.3);
});

const ellipsoid = 'ellipsoid of WGS 84 (EPSG:4979)';

test('a cloud is put onto the ellipsoid by its lowest points, and moved as a whole', async () => {
  const file = await put([
    ...town(12_000, 1, [east, north]),
    { x: east + 10, y: north + 10, z: -200, classification: 7 },
  ]);
  const options = optionsFor({ mode: 'flat', offset: 2 });
  const flat = await tests.run([file], options);
  const given = await tests.run([file], optionsFor({ mode: 'asGiven' }));
  const [moved, unmoved] = [await readTileset(flat), await readTileset(given)];
  assert.ok(isDeepStrictEqual(moved.tiles, unmoved.tiles), 'only the transform of the root differs');
  const heights = (await placesIn(flat)).map(([, , height]) => height).toSorted((a, b) => a - b);
  assert.ok(heights[0]! < -200, 'an error in the deep does not raise the others');
  assert.ok(Math.abs(heights[1]! - 2) < 0.5, `${heights[1]}`);
  const [low] = flat.result.datasource!.properties!['heightRange'] as [number, number];
  assert.ok(Math.abs(low - heights[0]!) < 0.1);
  const raisedBy = flat.result.datasource!.properties!['raisedBy'] as number;
  assert.ok(Math.abs(low - raisedBy - -200) < 0.1, 'HEIGHT counts from before');
  assert.deepEqual(flat.result.datasource!.properties!['heights'], [{ from: ellipsoid, name: ellipsoid }]);
  const glb = await tests.run([file], { ...options, output: { encoding: 'glb' } });
  assert.ok(Math.abs(median((await placesIn(glb)).map(([, , height]) => height)) - median(heights)) < 0.02);
});

const sheet = await writeCells(join(tests.folder, 'slope.asc'), (column) => 1000 + column, 60);
const made = await runTerrain([sheet], {
  heights: { vertical: 'ellipsoid' },
  processing: { workers: 1 },
  mesh: { maxZoom: 12 },
});
afterFile(() => made.remove());
const terrainPath = join(made.outputFolder, 'tiles.pmtiles');
const terrain = await withContent({
  name: 'slope.pmtiles',
  path: terrainPath,
  size: (await stat(terrainPath)).size,
});

test('a cloud is put onto terrain by its ground, in spite of trees and errors', async () => {
  const file = await put(hillside(30_000, 37));
  const run = await tests.run([file, terrain], optionsFor({ mode: 'terrain', offset: 1 }));
  const places = await placesIn(run);
  const ground = places.filter(([lon, , height]) => Math.abs(height - slope(lon)) < 3);
  assert.ok(ground.length > 10_000);
  const above = median(ground.map(([lon, , height]) => height - slope(lon)));
  assert.ok(Math.abs(above - 1) < 1, `${above} m above the terrain`);
  assert.deepEqual(run.warnings, []);
});

test('where a tile of the terrain is damaged, the one above it counts, and a warning names it; strict fails', async () => {
  const bytes = await readFile(terrainPath);
  const archive = await openArchive((offset, length) =>
    Promise.resolve(bytes.subarray(offset, offset + length)),
  );
  const [lon, lat] = (await placesIn(await tests.run([await put(hillside(3000, 37))], optionsFor({}))))[0]!;
  const { z, x, y } = tileAt(lon, lat, 12);
  const range = (await archive.findTile(z + 1, x, y))!;
  bytes.fill(0, range.offset, range.offset + range.length);
  const damaged = await tests.put('slope.pmtiles', bytes);
  const file = await put(hillside(30_000, 37));
  const options = optionsFor({ mode: 'terrain' });
  const run = await tests.run([file, damaged], options);
  const raisedBy = (one: typeof run) => one.result.datasource!.properties!['raisedBy'] as number;
  const whole = await tests.run([file, terrain], options);
  assert.ok(Math.abs(raisedBy(run) - raisedBy(whole)) < 1, `${raisedBy(run)}, not ${raisedBy(whole)}`);
  const named = new RegExp(`tile at zoom 12, column ${x}, row ${y} from the north is damaged`);
  assert.deepEqual([run.warnings[0]!.code, run.warnings.length], ['unreadableSheet', 1]);
  assert.match(run.warnings[0]!.message, named);
  const strict = { ...options, processing: { strict: true } };
  await assert.rejects(tests.run([file, damaged], strict), { code: 'brokenFile', message: named });
});

test('beside the terrain a cloud stays where it is; the mode and the terrain belong together', async () => {
  const other = await put(town(3000, 1, [690_000, 5_540_000]));
  const run = await tests.run([other, terrain], optionsFor({ mode: 'terrain' }));
  assert.deepEqual(
    run.warnings.map(({ code }) => code),
    ['outsideTerrain'],
  );
  const lowest = Math.min(...(await placesIn(run)).map(([, , height]) => height));
  assert.ok(Math.abs(lowest - 95) < 0.3);
  await assert.rejects(tests.run([other], optionsFor({ mode: 'terrain' })), {
    code: 'invalidOption',
    message: /terrain is not among/,
  });
  await assert.rejects(tests.run([other, terrain]), {
    code: 'invalidOption',
    message: /slope.pmtiles only in the mode/,
  });
});

test('an update of a cloud on the ground has the bytes of a full run', async () => {
  const options: TilesPointcloudOptions = {
    tiling: { pointsPerTile: 400 },
    heights: { mode: 'flat', vertical: 'ellipsoid' },
  };
  const first = await put(town(4000, 1, [east, north]), 'a.las');
  const lower = town(2000, 2, [east + 250, north]).map((point) => Object.assign(point, { z: point.z - 40 }));
  const sheets = [first, await put(lower, 'b.las')];
  const former = await tests.run([first], options);
  const updated = await runUpdate((more) => tests.run(sheets, options, more), former);
  assert.ok(updated.copied['make']! > 0);
  await isLikeFull(updated, await tests.run(sheets, options));
});

test('a comparison undoes what has put the older cloud onto the ground', async () => {
  const file = await put(town(3000, 1, [east, north]));
  const older = await tests.run([file], optionsFor({ mode: 'flat', offset: 30 }));
  const path = join(older.outputFolder, older.result.datasource!.path);
  const input = { path, name: '2019', size: (await stat(path)).size };
  const run = await tests.run([file, input], {
    ...optionsFor({ mode: 'flat' }),
    processing: { compareTo: { input: '2019' } },
  });
  const { tiles } = await readTileset(run);
  const distances = tiles.flatMap(({ properties }) => Array.from(properties['DISTANCE']!));
  assert.equal(distances.length, 3000);
  assert.ok(Math.max(...distances) < 0.02);
});
