import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { keysOf, writeTiff } from '@platen/formats/geotiff/testing';
import { findCrs } from '@platen/formats/crs/find-crs';
import { afterFile } from '../../checks/clean-up.ts';
import { heightInMesh, openTerrain, runTerrain, type TerrainRunResult } from './testing.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-terrain-mosaic-'));
afterFile(() => rm(folder, { recursive: true }));

const utm = findCrs('EPSG:25832');
const [east, north] = [680_000, 5_440_000];
const size = 100;

interface SheetToWrite {
  /** Sheets beside each other in the grid. */
  readonly column: number;
  readonly pixel?: number;
  readonly height: (x: number, y: number) => number;
  readonly tile?: number;
  /** Its place is in files beside it. */
  readonly isBare?: boolean;
}

/** A GeoTIFF in UTM of a square kilometre, in metres. */
async function writeSheet(
  name: string,
  { column, pixel = 10, height, tile = 64, isBare = false }: SheetToWrite,
) {
  const side = (size * 10) / pixel;
  const west = east + column * size * 10;
  const path = join(folder, name);
  await writeFile(
    path,
    writeTiff({
      images: [
        {
          width: side,
          height: side,
          bits: 32,
          sampleFormat: 3,
          tile,
          isDeflated: true,
          sample: (x, y) => height(west + (x + 0.5) * pixel, north - (y + 0.5) * pixel),
        },
      ],
      ...(!isBare && {
        keys: keysOf(25_832),
        scale: [pixel, pixel],
        tie: [0, 0, 0, west, north, 0],
      }),
      noData: '-9999',
    }),
  );
  return { path };
}

/** The height of the highest zoom at a place in UTM. */
async function heightsAt({ outputFolder }: TerrainRunResult, places: readonly (readonly [number, number])[]) {
  const terrain = await openTerrain(join(outputFolder, 'tiles.pmtiles'));
  const size = 180 / 2 ** (terrain.archive.header.maxZoom - 1);
  const heights: number[] = [];
  for (const [x, y] of places) {
    const position = Float64Array.of(x, y);
    utm.toLonLat(position, 1);
    const [column, row] = [(position[0]! + 180) / size, (90 - position[1]!) / size];
    const mesh = await terrain.mesh(terrain.archive.header.maxZoom - 1, Math.floor(column), Math.floor(row));
    heights.push(heightInMesh(mesh, column % 1, 1 - (row % 1)));
  }
  await terrain.close();
  return heights;
}

const options = { heights: { vertical: 'ellipsoid' }, mesh: { quality: 'high' } };
/** One plane over all sheets: 1 m for each 10 m to the east, half of that to the north. */
const plane = (x: number, y: number) => 100 + (x - east) / 10 + (y - north) / 20;

test('sheets beside each other make one ground, without a step between them', async () => {
  const sheets = [
    await writeSheet('west.tif', { column: 0, height: plane }),
    await writeSheet('east.tif', { column: 1, height: plane }),
  ];
  const run = await runTerrain(sheets, options);
  const places = Array.from({ length: 30 }, (_, i) => [east + 850 + i * 10, north - 500] as const);
  const heights = await heightsAt(run, places);
  for (const [i, [x, y]] of places.entries())
    assert.ok(Math.abs(heights[i]! - plane(x, y)) < 1, `${heights[i]} instead of ${plane(x, y)}`);
  await run.remove();
});

test('a finer sheet lies on top of a coarser one, and among equal ones the later input', async () => {
  const coarse = await writeSheet('coarse.tif', { column: 0, pixel: 20, height: () => 100 });
  const fine = await writeSheet('fine.tif', { column: 0, height: () => 200 });
  const later = await writeSheet('later.tif', { column: 0, height: () => 300 });
  const middle = [[east + 500, north - 500]] as const;
  for (const [inputs, expected] of [
    [[fine, coarse], 200],
    [[coarse, fine], 200],
    [[fine, later], 300],
    [[later, fine], 200],
  ] as const) {
    const run = await runTerrain(inputs, options);
    const [height] = await heightsAt(run, middle);
    assert.ok(Math.abs(height! - expected) < 0.1, `${height} instead of ${expected}`);
    await run.remove();
  }
});

test('what one sheet has no data for is taken from the one below', async () => {
  const below = await writeSheet('below.tif', { column: 0, height: () => 100 });
  const above = await writeSheet('above.tif', {
    column: 0,
    height: (x) => (x < east + 500 ? -9999 : 200),
  });
  const run = await runTerrain([below, above], options);
  const [west, far] = await heightsAt(run, [
    [east + 250, north - 500],
    [east + 750, north - 500],
  ]);
  assert.ok(Math.abs(west! - 100) < 0.1 && Math.abs(far! - 200) < 0.1, `${west} ${far}`);
  assert.deepEqual(run.warnings, []);
  await run.remove();
});

test('a GeoTIFF whose place is in a world file and a .prj beside it is placed by them', async () => {
  const bare = await writeSheet('bare.tif', { column: 0, height: plane, isBare: true });
  const sidecars = [
    ['bare.tfw', [10, 0, 0, -10, east + 5, north - 5].join('\n')],
    ['bare.prj', 'EPSG:25832'],
  ] as const;
  const files = sidecars.map(([name]) => ({ path: join(folder, name) }));
  for (const [name, text] of sidecars) await writeFile(join(folder, name), text);
  const run = await runTerrain([bare, ...files], options);
  const [height] = await heightsAt(run, [[east + 500, north - 500]]);
  assert.ok(Math.abs(height! - plane(east + 500, north - 500)) < 1, `${height}`);
  await run.remove();
  await assert.rejects(
    runTerrain([bare], options),
    /bare\.tif does not say where it is\. Add its world file/,
  );
});

test('heights of a German CRS are taken as DHHN2016 without a question, and the datasource says so', async () => {
  const run = await runTerrain([await writeSheet('german.tif', { column: 0, height: () => 100 })]);
  const { heights } = run.result.datasource!.properties as { heights: { from: string; geoid: string }[] };
  assert.deepEqual([heights[0]!.from, heights[0]!.geoid], ['EPSG:7837', 'GCG2016']);
  const [height] = await heightsAt(run, [[east + 500, north - 500]]);
  // GCG2016 is 47 m here
  assert.ok(Math.abs(height! - 146.9) < 1, String(height));
  await run.remove();
});
