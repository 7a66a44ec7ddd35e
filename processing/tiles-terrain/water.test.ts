import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { roughHeights } from '@platen/geo/terrain/testing';
import { afterFile } from '../../checks/clean-up.ts';
import { JobFailure } from '../job-type.ts';
import {
  heightInMesh,
  leanOfNormals,
  openTerrain,
  runTerrain,
  writeCells,
  type OpenedTerrain,
} from './testing.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-water-'));
afterFile(() => rm(folder, { recursive: true }));

type Ring = readonly (readonly [lon: number, lat: number])[];

const box = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

async function writePolygons(name: string, polygons: readonly (readonly Ring[])[]) {
  const path = join(folder, name);
  const features = polygons.map((coordinates) => ({
    type: 'Feature',
    properties: {},
    geometry: { type: 'Polygon', coordinates },
  }));
  await writeFile(path, JSON.stringify({ type: 'FeatureCollection', features }));
  return { path };
}

const rough = roughHeights(4, 30);
const size = 400;
/** Hills above a lake of 400 m that the model has with waves of 1 m, across the border between units of the pyramid. */
const isLake = (column: number, row: number): boolean =>
  Math.abs(column - 250) < 60 && Math.abs(row - 250) < 60;
const grid = await writeCells(
  join(folder, 'hills.asc'),
  (column, row) =>
    isLake(column, row) ? 400 + Math.sin(column * 3.1 + row) / 2 : 500 + rough(column, row) / 10,
  size,
);
/** Of the same extent as the lake of the heights, with an island that the heights do not have. */
const island = box(11.24, 49.14, 11.26, 49.16);
const lake = await writePolygons('lake.geojson', [[box(11.19, 49.09, 11.31, 49.21), island]]);

async function openMade(outputFolder: string): Promise<OpenedTerrain> {
  return openTerrain(join(outputFolder, 'tiles.pmtiles'));
}

/** The tile of a zoom at a place, with the shares of it from the west and the north. */
function tileAt(lon: number, lat: number, z: number) {
  const [x, y] = [((lon + 180) / 180) * 2 ** z, ((90 - lat) / 180) * 2 ** z];
  return { x: Math.floor(x), y: Math.floor(y), right: x % 1, down: y % 1 };
}

async function waterAt(terrain: OpenedTerrain, [lon, lat]: readonly [number, number], z: number) {
  const { x, y, right, down } = tileAt(lon, lat, z);
  const { extensions, extensionContents } = await terrain.mesh(z, x, y);
  const mask = extensionContents[extensions.indexOf(2)]!;
  return mask.length === 1 ? mask[0]! : mask[Math.floor(down * 256) * 256 + Math.floor(right * 256)]!;
}

const options = { heights: { vertical: 'ellipsoid' }, mesh: { quality: 'high' } };
let made: ReturnType<typeof runTerrain> | undefined;
/** The terrain with the lake, for all tests that read it. */
const withLake = () => (made ??= runTerrain([grid, lake], options));
afterFile(async () => (await made)?.remove());

test('polygons are the water mask of every zoom, without their holes, one byte where all of a tile is the same', async () => {
  const { result, outputFolder } = await withLake();
  assert.deepEqual(result.datasource?.typeProperties, { requestVertexNormals: true, requestWaterMask: true });
  const terrain = await openMade(outputFolder);
  assert.deepEqual(terrain.layer['extensions'], ['octvertexnormals', 'watermask']);
  const last = terrain.archive.header.maxZoom - 1;
  for (const z of [last - 4, last - 1, last]) {
    assert.equal(await waterAt(terrain, [11.21, 49.11], z), 255, `water at zoom ${z}`);
    assert.equal(await waterAt(terrain, [11.25, 49.15], z), 0, `the island at zoom ${z}`);
    assert.equal(await waterAt(terrain, [11.05, 49.05], z), 0, `land at zoom ${z}`);
  }
  const { x, y } = tileAt(11.05, 49.05, last + 0);
  const { extensionContents } = await terrain.mesh(last, x, y);
  assert.deepEqual([...extensionContents[1]!], [0]);
  await terrain.close();
});

test('lakes are level, their normals point straight up, and the ground around them stays', async () => {
  const { outputFolder } = await withLake();
  const without = await runTerrain([grid], options);
  const [terrain, plain] = [await openMade(outputFolder), await openMade(without.outputFolder)];
  const z = terrain.archive.header.maxZoom - 1;
  const levels: number[] = [];
  for (let lon = 11.2; lon < 11.3; lon += 0.013) {
    for (let lat = 49.1; lat < 49.2; lat += 0.013) {
      const isIsland = lon > 11.235 && lon < 11.265 && lat > 49.135 && lat < 49.165;
      if (isIsland) continue;
      const { x, y, right, down } = tileAt(lon, lat, z);
      levels.push(heightInMesh(await terrain.mesh(z, x, y), right, 1 - down));
    }
  }
  // the lower quartile of the waves, but for the curvature of the Earth between vertices
  assert.ok(
    Math.max(...levels) - Math.min(...levels) < 0.3,
    `${Math.min(...levels)} to ${Math.max(...levels)}`,
  );
  assert.ok(levels[0]! > 399.4 && levels[0]! < 400.1, String(levels[0]));
  const onLake = tileAt(11.21, 49.12, z);
  const isOnLake = (lon: number, lat: number) => lon > 11.2 && lon < 11.23 && lat > 49.1 && lat < 49.2;
  const lean = leanOfNormals(await terrain.mesh(z, onLake.x, onLake.y), { ...onLake, z }, isOnLake);
  assert.ok(lean < 0.03, 'as steep as bytes can tell');
  const { x, y, right, down } = tileAt(11.05, 49.05, z);
  const [one, other] = [await terrain.mesh(z, x, y), await plain.mesh(z, x, y)];
  assert.equal(heightInMesh(one, right, 1 - down), heightInMesh(other, right, 1 - down));
  await terrain.close();
  await plain.close();
  await without.remove();
});

test('a river that falls keeps its heights, and is water nevertheless', async () => {
  const slope = await writeCells(join(folder, 'slope.asc'), (_column, row) => 500 - row, 200);
  const river = await writePolygons('river.geojson', [[box(11.09, 49.01, 11.11, 49.19)]]);
  const { outputFolder, remove } = await runTerrain([slope, river], options);
  const terrain = await openMade(outputFolder);
  const z = terrain.archive.header.maxZoom - 1;
  assert.equal(await waterAt(terrain, [11.1, 49.1], z), 255);
  for (const lat of [49.05, 49.15]) {
    const { x, y, right, down } = tileAt(11.1, lat, z);
    const height = heightInMesh(await terrain.mesh(z, x, y), right, 1 - down);
    const expected = 500 - (49.2 - lat) / 0.001;
    assert.ok(Math.abs(height - expected) < 2, `${height} m instead of ${expected} m`);
  }
  await terrain.close();
  await remove();
});

test('any number of workers gives the same water, byte for byte', async () => {
  const bytesOf = async (workers: number): Promise<Buffer> => {
    const processing = { workers, memoryMegabytes: 256 * workers };
    const { outputFolder, remove } = await runTerrain([grid, lake], { processing });
    const bytes = await readFile(join(outputFolder, 'tiles.pmtiles'));
    await remove();
    return bytes;
  };
  assert.ok((await bytesOf(1)).equals(await bytesOf(2)));
});

test('water is left out where it is not wanted, and refused without a polygon', async () => {
  const { outputFolder, remove } = await runTerrain([grid, lake], { mesh: { waterMask: false } });
  const terrain = await openMade(outputFolder);
  assert.deepEqual(terrain.layer['extensions'], ['octvertexnormals']);
  await terrain.close();
  await remove();
  const point = join(folder, 'point.geojson');
  await writeFile(point, JSON.stringify({ type: 'Point', coordinates: [11, 49] }));
  await assert.rejects(runTerrain([grid, { path: point }]), (error) => {
    assert.ok(error instanceof JobFailure && error.code === 'nothingUsable', String(error));
    assert.match(error.message, /point\.geojson has no polygon of water/);
    return true;
  });
});
