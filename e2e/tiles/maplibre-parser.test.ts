// A test of tiles.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { findChromium, howToGetIt } from '../chromium.ts';
import { showView, startMapServer, type MapPage } from './testing-map-server.ts';
import { faultsOf } from './testing-tile-faults.ts';
import { writeNumbered } from './testing-tippecanoe.ts';
import { examples, samples, tileFiles, tilesOf, type Tiling } from './testing-tiling.ts';
import { sharedBrowser } from '../testing-shared.ts';
import { afterFile } from '../../checks/clean-up.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-parser-'));
afterFile(() => rm(folder, { recursive: true }));
const buffer = 16;
const rules = { extent: 4096, buffer };
const naturalEarth = ['countries.geojson', 'places.geojsonl'].map((name) => join(examples, name));
const extract = join(samples, 'vector/monaco.geojsonl.gz');
const noExtract = !existsSync(extract) && `SKIPPED: no sample data at ${extract}; set PLATEN_SAMPLE_DATA`;

/** MapLibre reads a tile with these very packages; what it reads lazily is read here at once. */
function readAll(bytes: Uint8Array): number {
  let vertices = 0;
  for (const layer of Object.values(new VectorTile(new PbfReader(bytes)).layers)) {
    for (let i = 0; i < layer.length; i++) {
      for (const part of layer.feature(i).loadGeometry()) vertices += part.length;
    }
  }
  return vertices;
}

function check({ bytes }: Tiling): { tiles: number; faults: string[] } {
  const faults: string[] = [];
  let tiles = 0;
  for (const tile of tilesOf(bytes)) {
    tiles++;
    const name = `${tile.z}/${tile.x}/${tile.y}`;
    if (readAll(tile.bytes) === 0) faults.push(`${name}: nothing to see`);
    faults.push(...faultsOf(tile.bytes, rules).map((fault) => `${name}: ${fault}`));
  }
  return { tiles, faults };
}

test('every tile of countries and places is read by MapLibre’s parser and keeps every rule of the specification', async (t) => {
  const { tiles, faults } = check(await tileFiles(naturalEarth, { tiling: { maxZoom: 8, buffer } }));
  t.diagnostic(`${tiles} tiles, ${faults.length} faults`);
  assert.ok(tiles > 10_000);
  assert.deepEqual(faults.slice(0, 20), []);
});

test(
  'every tile of a city with all its tags is read by MapLibre’s parser and keeps every rule of the specification',
  { skip: noExtract },
  async (t) => {
    const path = join(folder, 'city.geojsonl');
    await writeNumbered({ path: extract }, path);
    const { tiles, faults } = check(await tileFiles([path], { tiling: { maxZoom: 14, buffer } }));
    t.diagnostic(`${tiles} tiles, ${faults.length} faults`);
    assert.ok(tiles > 20);
    assert.deepEqual(faults.slice(0, 20), []);
  },
);

const executable = findChromium();
const views = [
  [0, 0, 0],
  [15, 50, 3],
  [179.9, 66, 4],
  [-179.9, -16.5, 7],
  [0, -84, 2],
  [7.42, 43.73, 6],
  [9.5, 47.1, 7],
  [20, 78, 4],
  [-70, -52, 5],
  [122, 11, 6],
  [12.4, 43.9, 9],
  [-61, 14, 6],
] as const;

test(
  'MapLibre shows a dozen places without a warning or an error',
  { skip: executable === undefined && howToGetIt, timeout: 120_000 },
  async () => {
    const { bytes } = await tileFiles(naturalEarth, { tiling: { maxZoom: 6, buffer } });
    const tiles = new Map<string, Uint8Array>();
    for (const tile of tilesOf(bytes)) tiles.set(`${tile.z}/${tile.x}/${tile.y}`, tile.bytes);
    const readTile = async (place: string) => tiles.get(place);
    const server = await startMapServer({ layers, maxZoom: 6, readTile });
    const browser = await sharedBrowser(executable!);
    try {
      const page = await browser.newPage({ viewport: { width: 640, height: 480 } });
      const complaints: string[] = [];
      page.on('console', (message) => {
        const text = message.text();
        // the software renderer speaks of its own speed
        if (['warning', 'error'].includes(message.type()) && !text.includes('GL Driver Message'))
          complaints.push(text);
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(server.url);
      let features = 0;
      for (const view of views) features += await page.evaluate(showView, view);
      assert.ok(features > 1000, `${features} features are drawn`);
      assert.deepEqual(complaints, []);
      assert.deepEqual(await page.evaluate(() => (globalThis as unknown as MapPage).complaints), []);
    } finally {
      await browser.close();
      await server.stop();
    }
  },
);

const source = { source: 'tiles' };
const layers = [
  { id: 'water', type: 'background', paint: { 'background-color': '#b8d2dc' } },
  { id: 'land', type: 'fill', ...source, 'source-layer': 'countries', paint: { 'fill-color': '#7fa650' } },
  { id: 'borders', type: 'line', ...source, 'source-layer': 'countries', paint: { 'line-color': '#fff' } },
  { id: 'places', type: 'circle', ...source, 'source-layer': 'places', paint: { 'circle-radius': 2 } },
];
