import assert from 'node:assert/strict';
import { access, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFile } from '@platen/formats/bytes/open-file';
import { readMesh } from '@platen/formats/quantized-mesh/read-mesh';
import { openArchive } from '@platen/geo/pmtiles/archive';
import { afterFile } from '../../checks/clean-up.ts';
import { openImageCodec } from '../kit/images/image-codec.ts';
import { runTerrain, writeCells } from './testing.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-terrain-outputs-'));
afterFile(() => rm(folder, { recursive: true }));

const size = 120;
/** No hole is looked for. */
const quick = { fillHoles: 0, blend: 2 };

function writeGrid(name: string, heightAt: (column: number, row: number) => number) {
  return writeCells(join(folder, name), heightAt, size);
}

/** Ground that rises by 100 m towards the north, around 300 m. */
const slope = await writeGrid('slope.asc', (_column, row) => 350 - (row * 100) / size);

async function pixelsOf(path: string, lon: number, lat: number) {
  const file = await openFile(path);
  const archive = await openArchive((offset, length) => file.read(offset, length));
  const z = archive.header.maxZoom;
  const x = ((lon + 180) / 360) * 2 ** z;
  const y = ((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** z;
  const range = (await archive.findTile(z, Math.floor(x), Math.floor(y)))!;
  const codec = (await openImageCodec())!;
  const image = await codec.decode(await file.read(range.offset, range.length));
  const metadata = await archive.metadata();
  await file.close();
  const at = (Math.floor((y % 1) * 256) * 256 + Math.floor((x % 1) * 256)) * image.bands;
  return { pixel: Array.from(image.samples.subarray(at, at + image.bands)), image, metadata };
}

for (const encoding of ['terrarium', 'mapbox'] as const) {
  test(`a raster DEM has the heights as given, as colours of ${encoding}`, async () => {
    const { result, outputFolder, remove } = await runTerrain([slope], {
      ...quick,
      output: { kind: 'rasterDem', encoding },
    });
    assert.equal(result.datasource?.type, 'generic');
    const { pixel, metadata } = await pixelsOf(join(outputFolder, 'tiles.pmtiles'), 11.06, 49.06);
    const [red, green, blue] = pixel as [number, number, number];
    const code = red * 65_536 + green * 256 + blue;
    const height = encoding === 'terrarium' ? code / 256 - 32_768 : code / 10 - 10_000;
    assert.ok(Math.abs(height - 300) < 1, `${height} m`);
    assert.equal(metadata['encoding'], encoding);
    await remove();
  });
}

test('a hillshade is dark on slopes away from the light, and transparent outside of the data', async () => {
  // falls to the east, away from the light
  const ridge = await writeGrid('ridge.asc', (column) => 3000 - column * 25);
  const { result, outputFolder, remove } = await runTerrain([ridge], {
    ...quick,
    output: { kind: 'hillshade' },
  });
  assert.equal(result.datasource?.type, 'tms');
  const archive = join(outputFolder, 'tiles.pmtiles');
  const inside = await pixelsOf(archive, 11.06, 49.06);
  const flat = Math.sin((40 * Math.PI) / 180) * 255;
  assert.ok(inside.pixel[0]! < flat - 20, String(inside.pixel));
  assert.equal(inside.pixel.at(-1), 255);
  const outside = await pixelsOf(archive, 10.995, 49.06);
  assert.equal(outside.pixel.at(-1), 0);
  assert.equal(inside.image.width, 256);
  await remove();
});

test('a folder has plain tiles and the description, as static servers need them', async () => {
  const { result, outputFolder, remove } = await runTerrain([slope], {
    ...quick,
    output: { format: 'folder' },
  });
  assert.equal(result.datasource?.path, 'tiles');
  assert.deepEqual(await readdir(outputFolder), ['tiles']);
  await access(join(outputFolder, 'tiles/thumbnail.png'));
  const layer = JSON.parse(await readFile(join(outputFolder, 'tiles/layer.json'), 'utf8')) as {
    tiles: string[];
    scheme: string;
  };
  assert.deepEqual([layer.tiles, layer.scheme], [['{z}/{x}/{y}.terrain'], 'tms']);
  const root = readMesh(await readFile(join(outputFolder, 'tiles/0/1/0.terrain')));
  assert.equal(root.u.length, 65 * 65);
  await remove();
});

for (const kind of ['rasterDem', 'hillshade'] as const) {
  test(`the description of a folder with a ${kind} names its tiles`, async () => {
    const { outputFolder, remove } = await runTerrain([slope], {
      ...quick,
      output: { kind, format: 'folder' },
    });
    const { tiles, scheme } = JSON.parse(await readFile(join(outputFolder, 'tiles/tiles.json'), 'utf8')) as {
      tiles: [string];
      scheme: string;
    };
    assert.equal(scheme, kind === 'rasterDem' ? 'xyz' : 'tms');
    const row = scheme === 'xyz' ? 5 : 2 ** 4 - 1 - 5;
    const path = tiles[0].replace('{z}', '4').replace('{x}', '8').replace('{y}', String(row));
    await access(join(outputFolder, 'tiles', path));
    await remove();
  });
}

for (const kind of ['quantizedMesh', 'rasterDem', 'hillshade', 'contours'] as const) {
  test(`the thumbnail of ${kind} is a relief: low ground green, high ground bright, nothing outside`, async () => {
    // without data in the east
    const bay = await writeGrid('bay.asc', (column, row) => (column < 100 ? 400 - row * 3 : -9999));
    const { result, outputFolder, remove } = await runTerrain([bay], { ...quick, output: { kind } });
    assert.equal(result.datasource?.properties?.['thumbnail'], 'thumbnail.png');
    const codec = (await openImageCodec())!;
    const png = await readFile(join(outputFolder, 'tiles.pmtiles.thumbnail.png'));
    const { width, height, samples } = await codec.decode(png, { bands: 4 });
    // as wide as degrees of longitude are at 49° north
    assert.ok(Math.abs(width / height - Math.cos((49.06 * Math.PI) / 180)) < 0.05, `${width} × ${height}`);
    const pixel = (x: number, y: number) => {
      const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 4;
      return Array.from(samples.subarray(at, at + 4));
    };
    const [high, low, outside] = [pixel(0.4, 0.05), pixel(0.4, 0.95), pixel(0.95, 0.5)];
    assert.deepEqual([high[3], low[3], outside[3]], [255, 255, 0]);
    assert.ok(high[0]! > low[0]! + 40 && low[1]! > low[0]!, `${String(high)} above ${String(low)}`);
    await remove();
  });
}
