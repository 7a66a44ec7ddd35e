import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { afterFile } from '../../checks/clean-up.ts';
import { roughHeights } from '@platen/geo/terrain/testing';
import { readMesh, type QuantizedMesh } from '@platen/formats/quantized-mesh/read-mesh';
import type { TileRange } from '@platen/formats/quantized-mesh/layer-json';
import { JobFailure } from '../job-type.ts';
import { heightInMesh, leanOfNormals, openTerrain, runTerrain, type OpenedTerrain } from './testing.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-terrain-test-'));
afterFile(() => rm(folder, { recursive: true }));

/** An ASCII grid in degrees whose south-western corner is at 11° E, 49° N. */
async function writeGrid(
  name: string,
  heightAt: (column: number, row: number) => number | string,
  { size = 220, step = 0.001, corner = [11, 49] as readonly [number, number] } = {},
): Promise<{ path: string; crs: string }> {
  const lines = [`ncols ${size}`, `nrows ${size}`, `xllcorner ${corner[0]}`, `yllcorner ${corner[1]}`];
  lines.push(`cellsize ${step}`, 'NODATA_value -9999');
  for (let row = 0; row < size; row++)
    lines.push(Array.from({ length: size }, (_, column) => heightAt(column, row)).join(' '));
  const path = join(folder, name);
  await writeFile(path, `${lines.join('\n')}\n`);
  return { path, crs: 'EPSG:4326' };
}

const rough = roughHeights(3, 120);
const roughGrid = await writeGrid('rough.asc', (column, row) => (600 + rough(column, row)).toFixed(2));

async function terrainOf(outputFolder: string): Promise<OpenedTerrain> {
  return openTerrain(join(outputFolder, 'tiles.pmtiles'));
}

test('terrain has both roots, every tile that it announces, and every parent', async () => {
  const { result, phases, outputFolder, remove } = await runTerrain([roughGrid]);
  assert.equal(result.datasource?.type, 'qmesh');
  assert.deepEqual([...phases], ['read', 'combine', 'make', 'write']);
  const terrain = await terrainOf(outputFolder);
  const available = terrain.layer['available'] as readonly (readonly TileRange[])[];
  assert.deepEqual(available[0], [{ startX: 0, startY: 0, endX: 1, endY: 0 }]);
  let announced = 0;
  for (const [z, ranges] of available.entries()) {
    for (const { startX, startY, endX, endY } of ranges) {
      for (let x = startX; x <= endX; x++) {
        for (let row = startY; row <= endY; row++) {
          const y = 2 ** z - 1 - row;
          assert.ok(await terrain.tile(z, x, y), `${z}/${x}/${y}`);
          if (z > 0) assert.ok(await terrain.tile(z - 1, x >> 1, y >> 1), `the parent of ${z}/${x}/${y}`);
          announced++;
        }
      }
    }
  }
  assert.equal(announced, terrain.archive.header.addressedTiles);
  await terrain.close();
  await remove();
});

test('the mesh is at the height of the data above the ellipsoid', async () => {
  const flat = await writeGrid('flat.asc', () => 300);
  const { outputFolder, warnings, remove } = await runTerrain([flat], { heights: { vertical: 'EPSG:5773' } });
  assert.deepEqual(warnings, []);
  const terrain = await terrainOf(outputFolder);
  const z = terrain.archive.header.maxZoom - 1;
  const [x, y] = [((11.1 + 180) / 180) * 2 ** z, ((90 - 49.1) / 180) * 2 ** z];
  const mesh = await terrain.mesh(z, Math.floor(x), Math.floor(y));
  const height = heightInMesh(mesh, x % 1, 1 - (y % 1));
  // PROJ: cs2cs EPSG:4326+5773 EPSG:4979 <<< "49.1 11.1 0" gives 47.31
  assert.ok(Math.abs(height - 347.31) < 1.5, `${height} m`);
  await terrain.close();
  await remove();
});

test('heights that a file takes from the ellipsoid stay as they are', async () => {
  const flat = await writeGrid('ellipsoid.asc', () => 300);
  const { outputFolder, remove } = await runTerrain([flat], { heights: { vertical: 'ellipsoid' } });
  const terrain = await terrainOf(outputFolder);
  const z = terrain.archive.header.maxZoom - 1;
  const mesh = await terrain.mesh(
    z,
    Math.floor(((11.1 + 180) / 180) * 2 ** z),
    Math.floor(((90 - 49.1) / 180) * 2 ** z),
  );
  assert.ok(Math.abs(mesh.minHeight - 300) < 0.01 && Math.abs(mesh.maxHeight - 300) < 0.01);
  await terrain.close();
  await remove();
});

/** Holes within tiles and across their edges. */
const holedGrid = await writeGrid('holed.asc', (column, row) => {
  const isHole = [[60, 60, 9] as const, [110, 100, 25] as const, [170, 30, 4] as const].some(
    ([x, y, radius]) => Math.hypot(column - x, row - y) < radius,
  );
  return isHole ? -9999 : (600 + rough(column, row)).toFixed(2);
});

for (const [what, input, fillHoles] of [
  ['of whole data', roughGrid, 1024],
  ['around holes', holedGrid, 0],
  ['in filled holes', holedGrid, 1024],
] as const) {
  test(`neighbours meet at their edges within two steps of quantisation, and with the same normals, ${what}`, async () => {
    const { outputFolder, remove } = await runTerrain([input], { fillHoles, mesh: { quality: 'high' } });
    const terrain = await terrainOf(outputFolder);
    const available = terrain.layer['available'] as readonly (readonly TileRange[])[];
    let compared = 0;
    for (let z = 8; z < available.length; z++) {
      for (const [x, y] of placesIn(available[z]!, z)) {
        const here = (await terrain.tile(z, x, y)) && (await terrain.mesh(z, x, y));
        for (const isEast of [true, false]) {
          const bytes = await (isEast ? terrain.tile(z, x + 1, y) : terrain.tile(z, x, y + 1));
          if (!here || !bytes) continue;
          const neighbour = readMesh(bytes);
          const [own, others] = isEast
            ? [edgeOf(here, 'u', 32_767), edgeOf(neighbour, 'u', 0)]
            : [edgeOf(here, 'v', 0), edgeOf(neighbour, 'v', 32_767)];
          const step =
            Math.max(here.maxHeight - here.minHeight, neighbour.maxHeight - neighbour.minHeight) / 32_767;
          // between the vertices of an edge, the sagitta of a tile at these zooms counts
          const bend = (20_000_000 / 2 ** z / 64) ** 2 / 6_371_000;
          for (const [at, { height, normal }] of own) {
            const other = others.get(at);
            if (!other) continue;
            assert.ok(
              Math.abs(other.height - height) <= 2 * step + bend,
              `${z}/${x}/${y}: ${other.height - height} m`,
            );
            assert.deepEqual(other.normal, normal, `${z}/${x}/${y}`);
            compared++;
          }
        }
      }
    }
    assert.ok(compared > 500, String(compared));
    await terrain.close();
    await remove();
  });
}

function* placesIn(ranges: readonly TileRange[], z: number): Generator<readonly [x: number, y: number]> {
  for (const { startX, startY, endX, endY } of ranges)
    for (let x = startX; x <= endX; x++)
      for (let row = startY; row <= endY; row++) yield [x, 2 ** z - 1 - row];
}

/** The vertices of an edge by their place along it. */
function edgeOf(mesh: QuantizedMesh, axis: 'u' | 'v', value: number) {
  const along = axis === 'u' ? mesh.v : mesh.u;
  const normals = mesh.extensionContents[mesh.extensions.indexOf(1)]!;
  const edge = new Map<number, { readonly height: number; readonly normal: readonly number[] }>();
  for (let i = 0; i < mesh.u.length; i++) {
    if (mesh[axis][i] !== value) continue;
    const height = mesh.minHeight + (mesh.heights[i]! / 32_767) * (mesh.maxHeight - mesh.minHeight);
    edge.set(along[i]!, { height, normal: [normals[i * 2]!, normals[i * 2 + 1]!] });
  }
  return edge;
}

test('around the data, a ramp that no light shows leads to the height of the sea: there is no wall', async () => {
  const high = await writeGrid('high.asc', () => 1000);
  const { result, outputFolder, remove } = await runTerrain([high], {
    heights: { vertical: 'EPSG:5773' },
    mesh: { quality: 'high' },
  });
  const terrain = await terrainOf(outputFolder);
  const z = terrain.archive.header.maxZoom - 1;
  const size = 180 / 2 ** z;
  const heightAt = async (lon: number, lat: number) => {
    const [x, y] = [(lon + 180) / size, (90 - lat) / size];
    return heightInMesh(await terrain.mesh(z, Math.floor(x), Math.floor(y)), x % 1, 1 - (y % 1));
  };
  const cell = size / 64;
  const heights = [];
  for (let i = -3; i <= 20; i++) heights.push(await heightAt(11 - i * cell, 49.1));
  for (let i = 1; i < heights.length; i++)
    assert.ok(Math.abs(heights[i]! - heights[i - 1]!) < 110, String(heights));
  assert.ok(heights[0]! > 1040 && heights.at(-1)! < 60, String(heights));
  const edge = { z, x: Math.floor(190.999 / size), y: Math.floor((90 - 49.1) / size) };
  assert.ok(leanOfNormals(await terrain.mesh(z, edge.x, edge.y), edge) < 0.03, 'as steep as bytes can tell');
  const range = result.datasource!.properties['heightRange'] as [number, number];
  assert.ok(range[0] > 1040 && range[1] < 1060 && range[0] <= range[1], String(range));
  await terrain.close();
  await remove();
});

test('holes are filled from around them, and fills that are not declared are holes', async () => {
  const isHole = (column: number, row: number) => Math.hypot(column - 110, row - 110) < 30;
  const grid = await writeGrid('holes.asc', (column, row) => (isHole(column, row) ? -32768 : 500));
  const { outputFolder, warnings, remove } = await runTerrain([grid], { heights: { vertical: 'ellipsoid' } });
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['heightSpikes'],
  );
  const terrain = await terrainOf(outputFolder);
  const z = terrain.archive.header.maxZoom - 1;
  const mesh = await terrain.mesh(z, Math.floor((191.11 / 180) * 2 ** z), Math.floor((40.89 / 180) * 2 ** z));
  assert.ok(mesh.minHeight > 499.9 && mesh.maxHeight < 500.1, `${mesh.minHeight} to ${mesh.maxHeight}`);
  await terrain.close();
  await remove();
});

test('any number of workers gives the same bytes', async () => {
  const bytesOf = async (workers: number): Promise<Buffer> => {
    const { outputFolder, remove } = await runTerrain([roughGrid], {
      processing: { workers, memoryMegabytes: 256 * workers },
    });
    const bytes = await readFile(join(outputFolder, 'tiles.pmtiles'));
    await remove();
    return bytes;
  };
  assert.ok((await bytesOf(1)).equals(await bytesOf(2)));
});

test('a text of points is a grid in any order, with a decimal comma or without', async () => {
  const points: string[] = [];
  for (let row = 0; row < 60; row++)
    for (let column = 0; column < 60; column++)
      points.push(`${11 + column * 0.001} ${49 + row * 0.001} ${200 + column}`);
  const path = join(folder, 'points.xyz');
  await writeFile(path, `x y z\n${points.toReversed().join('\n')}\n`);
  const { result, remove } = await runTerrain([{ path, crs: 'EPSG:4326' }], {
    heights: { vertical: 'ellipsoid' },
  });
  assert.deepEqual(
    result.datasource?.bbox?.map((value) => Number(value.toFixed(4))),
    [10.9995, 48.9995, 11.0595, 49.0595],
  );
  await remove();
});

test('what cannot be terrain is refused with what to do', async () => {
  const write = async (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  };
  const refusals: readonly (readonly [string, { path: string; crs?: string }, RegExp])[] = [
    ['notRecognised', { path: await write('letter.txt', 'Dear all,\nhello\n') }, /no height model/],
    ['unknownCrs', { path: roughGrid.path }, /coordinate system/],
    ['brokenFile', { path: await write('N49E011.hgt', Buffer.alloc(100)) }, /size of a \.hgt/],
    [
      'brokenFile',
      {
        path: await write('short.asc', 'ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n'),
        crs: 'EPSG:4326',
      },
      /too short/,
    ],
    [
      'brokenFile',
      { path: await write('scattered.xyz', '1 1 5\n2.3 7 5\n4 4.1 5\n9 1.7 5\n6 6 6\n'), crs: 'EPSG:25832' },
      /no regular grid/,
    ],
    [
      'invalidCoordinates',
      { path: (await writeGrid('far.asc', () => 1, { size: 5, corner: [500, 95] })).path, crs: 'EPSG:4326' },
      /not on Earth/,
    ],
    [
      'nothingUsable',
      await writeGrid('empty.asc', () => -9999, { size: 5 }),
      /not a single height|single height/,
    ],
  ];
  for (const [code, input, message] of refusals)
    await assert.rejects(runTerrain([input]), (error) => {
      assert.ok(error instanceof JobFailure, String(error));
      assert.equal(error.code, code, error.message);
      assert.match(error.message, message);
      return true;
    });
});

test('a sheet that cannot be read is left out with a warning, or fails a strict job', async () => {
  const path = join(folder, 'broken.asc');
  await writeFile(path, 'ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n');
  const inputs = [roughGrid, { path, crs: 'EPSG:4326' }];
  const { warnings, rejects, remove } = await runTerrain(inputs, { heights: { vertical: 'ellipsoid' } });
  assert.match(warnings.find(({ code }) => code === 'brokenSheet')!.message, /broken\.asc/);
  assert.equal((rejects[0]!.geometry as { type: string }).type, 'Polygon', 'its outline');
  await remove();
  await assert.rejects(runTerrain(inputs, { processing: { strict: true } }), /broken\.asc/);
});

test('a sheet that is not on Earth does not take its neighbours with it', async () => {
  const inputs = [roughGrid, await writeGrid('swapped.asc', () => 1, { size: 5, corner: [500, 95] })];
  const { warnings, remove } = await runTerrain(inputs, { heights: { vertical: 'ellipsoid' } });
  assert.match(warnings.find(({ code }) => code === 'brokenSheet')!.message, /swapped\.asc is not on Earth/);
  await remove();
  await assert.rejects(runTerrain(inputs, { processing: { strict: true } }), /swapped\.asc/);
});
