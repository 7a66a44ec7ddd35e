import assert from 'node:assert/strict';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { VectorTile } from '@mapbox/vector-tile';
import { openFile } from '@platen/formats/bytes/open-file';
import { openArchive } from '@platen/geo/pmtiles/archive';
import { roughHeights } from '@platen/geo/terrain/testing';
import { geojson } from 'flatgeobuf';
import { PbfReader } from 'pbf';
import { afterFile } from '../../checks/clean-up.ts';
import { JobFailure } from '../job-type.ts';
import { runTerrain, writeCells } from './testing.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-contours-'));
afterFile(() => rm(folder, { recursive: true }));

function writeGrid(name: string, heightAt: (column: number, row: number) => number, size = 200) {
  return writeCells(join(folder, name), heightAt, size);
}

/** A cone, 1000 m high, whose ground falls by 10 m with each cell. */
const cone = await writeGrid('cone.asc', (column, row) => 1000 - 10 * Math.hypot(column - 100, row - 100));
const contours = (interval: number) => ({ fillHoles: 0, output: { kind: 'contours', interval } });

async function tilesOf(path: string, z: number) {
  const file = await openFile(path);
  const archive = await openArchive((offset, length) => file.read(offset, length));
  const { maxZoom } = archive.header;
  const zoom = Math.min(z, maxZoom);
  const [size, tiles] = [2 ** zoom, [] as { x: number; y: number; layer: VectorTile['layers'][string] }[]];
  const x0 = Math.floor(((11 + 180) / 360) * size);
  for (let x = x0 - 1; x <= x0 + Math.ceil((0.25 / 360) * size); x++) {
    const [from, to] = [49.25, 48.95].map((lat) =>
      Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * size),
    ) as [number, number];
    for (let y = from; y <= to; y++) {
      const range = await archive.findTile(zoom, x, y);
      if (range === undefined) continue;
      const bytes = gunzipSync(await file.read(range.offset, range.length));
      tiles.push({ x, y, layer: new VectorTile(new PbfReader(bytes)).layers['contours']! });
    }
  }
  await file.close();
  return { maxZoom, tiles };
}

test('contour lines of a cone are circles at their heights, every fifth an index contour', async () => {
  const { result, outputFolder, remove } = await runTerrain([cone], contours(50));
  assert.equal(result.datasource?.type, 'vectortiles');
  const { maxZoom, tiles } = await tilesOf(join(outputFolder, 'tiles.pmtiles'), 30);
  const seen = new Set<number>();
  for (const { x, y, layer } of tiles) {
    for (let i = 0; i < layer.length; i++) {
      const feature = layer.feature(i);
      const { elevation, isIndex } = feature.properties as { elevation: number; isIndex: boolean };
      assert.ok(Number.isInteger(elevation / 50));
      assert.equal(isIndex, elevation % 250 === 0);
      seen.add(elevation);
      for (const at of feature.loadGeometry().flat()) {
        const lon = ((x + at.x / 4096) / 2 ** maxZoom) * 360 - 180;
        const lat =
          (Math.atan(Math.sinh(Math.PI * (1 - (2 * (y + at.y / 4096)) / 2 ** maxZoom))) * 180) / Math.PI;
        const away = Math.hypot((lon - 11) / 0.001 - 100.5, 199.5 - (lat - 49) / 0.001 - 100);
        const height = 1000 - 10 * away;
        // a cell is 10 m high; the grid of tiles has others
        assert.ok(Math.abs(height - elevation) < 6, `${height} m on the line of ${elevation} m`);
      }
    }
  }
  assert.ok(seen.has(950) && seen.has(0) && seen.size > 20, [...seen].join(' '));
  await remove();
});

test('lower zooms show every fifth line, and the highest all', async () => {
  const { outputFolder, remove } = await runTerrain([cone], contours(10));
  const archive = join(outputFolder, 'tiles.pmtiles');
  const stepAt = async (zoom: number) => {
    const { tiles } = await tilesOf(archive, zoom);
    const elevations = tiles.flatMap(({ layer }) =>
      Array.from({ length: layer.length }, (_, i) => layer.feature(i).properties['elevation'] as number),
    );
    const sorted = [...new Set(elevations)].toSorted((a, b) => a - b);
    return Math.min(...sorted.slice(1).map((elevation, i) => elevation - sorted[i]!));
  };
  const { maxZoom } = await tilesOf(archive, 30);
  assert.deepEqual(
    [await stepAt(maxZoom), await stepAt(maxZoom - 1), await stepAt(maxZoom - 2)],
    [10, 10, 50],
  );
  await remove();
});

test('the datasource has a valid style with labels by height, statistics and a thumbnail', async () => {
  const { result, outputFolder, remove } = await runTerrain([cone], contours(20));
  const { properties, typeProperties } = result.datasource!;
  const style = properties!['style'] as Parameters<typeof validateStyleMin>[0];
  assert.deepEqual(validateStyleMin(style), []);
  assert.match(JSON.stringify(style), /"text-field":.*elevation/);
  assert.match(JSON.stringify(properties!['vcMapStyle']), /labelText/);
  const [elevation] = properties!['fields'] as { name: string; min: number; max: number }[];
  assert.equal(elevation!.name, 'elevation');
  assert.ok(elevation!.max <= 1000 && elevation!.max >= 960);
  assert.deepEqual(Object.keys(typeProperties as object), ['minZoom', 'maxZoom']);
  await access(join(outputFolder, 'tiles.pmtiles.thumbnail.png'));
  await remove();
});

test('any number of workers gives the same contour lines, byte for byte', async () => {
  const rough = roughHeights(7, 120);
  const grid = await writeGrid('rough.asc', (column, row) => 600 + rough(column, row), 400);
  const bytesOf = async (workers: number): Promise<Buffer> => {
    const processing = { workers, memoryMegabytes: 256 * workers };
    const { outputFolder, remove } = await runTerrain([grid], { ...contours(5), processing });
    const bytes = await readFile(join(outputFolder, 'tiles.pmtiles'));
    await remove();
    return bytes;
  };
  assert.ok((await bytesOf(1)).equals(await bytesOf(2)));
});

test('contour lines in a folder are files of vector tiles with their description', async () => {
  const { result, outputFolder, remove } = await runTerrain([cone], {
    ...contours(50),
    output: { kind: 'contours', format: 'folder' },
  });
  assert.equal(result.datasource?.path, 'tiles');
  await access(join(outputFolder, 'tiles/metadata.json'));
  await access(join(outputFolder, 'tiles/thumbnail.png'));
  await remove();
});

test('heights between two lines, and intervals with too many lines, are refused with what to do', async () => {
  const flat = await writeGrid('flat.asc', () => 1005, 20);
  const steep = await writeGrid('steep.asc', (column) => (column % 2) * 9000);
  for (const [input, interval, code, advice] of [
    [flat, 10, 'nothingUsable', /interval of less than 10 m/],
    [steep, 0.1, 'tooLarge', /larger output\.interval/],
  ] as const) {
    await assert.rejects(runTerrain([input], contours(interval)), (error) => {
      assert.ok(error instanceof JobFailure, String(error));
      assert.equal(error.code, code);
      assert.match(error.message, advice);
      return true;
    });
  }
});

interface LineFeature {
  readonly properties: { readonly elevation: number; readonly isIndex: boolean };
  readonly geometry: {
    readonly type: string;
    readonly coordinates: readonly (readonly [lon: number, lat: number])[];
  };
}

async function linesOf(path: string) {
  const { features } = JSON.parse(await readFile(path, 'utf8')) as { features: LineFeature[] };
  return features.map(({ properties: { elevation, isIndex }, geometry }) => {
    assert.equal(geometry.type, 'LineString');
    return { elevation, isIndex, positions: geometry.coordinates };
  });
}

test('contours in one file are whole lines across the edges of tiles, at their heights', async () => {
  const { result, outputFolder, remove } = await runTerrain([cone], {
    fillHoles: 0,
    output: { kind: 'contours', interval: 50, format: 'geojson', attribution: '© City' },
  });
  assert.equal(result.datasource?.type, 'geojson');
  assert.equal(result.datasource?.path, 'contours.geojson');
  assert.equal(result.manifest, undefined);
  const { featureCount, fields, attribution } = result.datasource.properties as {
    featureCount: number;
    fields: { name: string }[];
    attribution: string;
  };
  assert.deepEqual([fields.map(({ name }) => name), attribution], [['elevation', 'isIndex'], '© City']);
  await access(join(outputFolder, 'contours.geojson.thumbnail.png'));
  const lines = await linesOf(join(outputFolder, 'contours.geojson'));
  assert.equal(featureCount, lines.length);
  const rings = lines.filter(({ positions }) => String(positions[0]) === String(positions.at(-1)));
  // whole circles are inside of the data from 50 m on; below, they are cut by its border
  assert.deepEqual(
    rings.map(({ elevation }) => elevation).toSorted((a, b) => a - b),
    Array.from({ length: 19 }, (_, i) => 50 + i * 50),
  );
  for (const { elevation, isIndex, positions } of lines) {
    assert.equal(isIndex, elevation % 250 === 0);
    for (const [lon, lat] of positions) {
      const away = Math.hypot((lon - 11) / 0.001 - 100.5, 199.5 - (lat - 49) / 0.001 - 100);
      assert.ok(Math.abs(1000 - 10 * away - elevation) < 6, `${1000 - 10 * away} m on ${elevation} m`);
    }
  }
  await remove();
});

test('FlatGeobuf has the lines of GeoJSON, and any number of workers gives the same bytes', async () => {
  const rough = roughHeights(7, 120);
  const grid = await writeGrid('lines.asc', (column, row) => 600 + rough(column, row));
  const make = async (format: string, workers: number) => {
    const processing = { workers, memoryMegabytes: 256 * workers };
    const output = { kind: 'contours', interval: 20, format };
    const { result, outputFolder, remove } = await runTerrain([grid], { fillHoles: 0, output, processing });
    const bytes = await readFile(join(outputFolder, result.datasource!.path));
    await remove();
    return { bytes, type: result.datasource!.type, count: result.datasource!.properties!['featureCount'] };
  };
  const [one, two] = [await make('flatgeobuf', 1), await make('flatgeobuf', 2)];
  assert.ok(one.bytes.equals(two.bytes));
  const json = await make('geojson', 2);
  assert.deepEqual([one.type, json.type, one.count], ['flatgeobuf', 'geojson', json.count]);
  mock.method(console, 'debug', () => {}); // the reader of the npm package logs every node that it visits
  const read: LineFeature[] = [];
  for await (const feature of geojson.deserialize(new Uint8Array(one.bytes)))
    read.push(feature as unknown as LineFeature);
  const { features } = JSON.parse(json.bytes.toString()) as { features: LineFeature[] };
  assert.ok(features.length > 50);
  const sizeOf = ({ properties, geometry }: LineFeature): string =>
    `${properties.elevation} ${geometry.coordinates.length}`;
  assert.deepEqual(read.map(sizeOf).toSorted(), features.map(sizeOf).toSorted());
  const sumOf = (lines: readonly LineFeature[]): number =>
    lines.flatMap(({ geometry }) => geometry.coordinates.flat()).reduce((sum, degrees) => sum + degrees, 0);
  assert.ok(Math.abs(sumOf(read) - sumOf(features)) < 1e-3);
});

test('only contours can be one file of lines', async () => {
  await assert.rejects(runTerrain([cone], { output: { kind: 'hillshade', format: 'geojson' } }), (error) => {
    assert.ok(error instanceof JobFailure, String(error));
    assert.equal(error.code, 'invalidOption');
    assert.match(error.message, /\/output\/format/);
    return true;
  });
});
