import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { afterFile } from '../../checks/clean-up.ts';
import type { JobInput } from '../job-type.ts';
import { objOfBoxes } from '../models/testing-meshes.ts';
import { runTerrain, writeCells } from '../tiles-terrain/testing.ts';
import { cityGml, houseXml } from './testing-models.ts';
import { openObjectTests } from './testing.ts';
import { eachTile, decodeGlb } from './testing-tileset.ts';
import { geodeticOf } from '@platen/geo/geodesy/geocentric';
import { readFile } from 'node:fs/promises';

const tests = await openObjectTests();
const folder = await mkdtemp(join(tmpdir(), 'platen-object-terrain-'));
afterFile(async () => {
  await tests.remove();
  await rm(folder, { recursive: true });
});

/** A slope from 1000 m at 11° east to 1060 m at 11.06°. */
const sheet = await writeCells(join(folder, 'slope.asc'), (column) => 1000 + column, 60);
const made = await runTerrain([sheet], {
  heights: { vertical: 'ellipsoid' },
  processing: { workers: 1 },
  mesh: { maxZoom: 12 },
});
const terrain: JobInput = {
  name: 'slope.pmtiles',
  path: join(made.outputFolder, 'tiles.pmtiles'),
  size: (await readFile(join(made.outputFolder, 'tiles.pmtiles'))).length,
} as JobInput;
const slope = (lon: number): number => 1000 + (lon - 11) * 1000;

/** The box around each object, by its id: west, south and lowest corner. */
async function boxesOf(outputFolder: string) {
  const boxes = new Map<string, [number, number, number]>();
  await eachTile(join(outputFolder, 'tileset'), async ({ content }) => {
    if (content === undefined) return;
    const tile = await decodeGlb(await readFile(join(outputFolder, 'tileset', content.uri)));
    for (const { places, features } of tile.primitives)
      for (const [i, place] of places.entries()) {
        const id = String(tile.rows[features[i]!]!['id']);
        const box = boxes.get(id) ?? [Infinity, Infinity, Infinity];
        const here = geodeticOf(place);
        boxes.set(id, [0, 1, 2].map((axis) => Math.min(box[axis]!, here[axis]!)) as [number, number, number]);
      }
  });
  return boxes;
}
const options = { output: { format: 'folder' }, heights: { mode: 'terrain' } } as const;

test('each object of a city stands on the lowest terrain beneath it, and one beside it stays where it is', async () => {
  const houses = [
    houseXml({ id: 'low', at: [647_000, 5_431_000, 300] }),
    houseXml({ id: 'high', at: [649_000, 5_431_000, 900] }),
    houseXml({ id: 'wide', at: [646_800, 5_430_500, 300], size: [3000, 900, 10] }),
    houseXml({ id: 'beside', at: [690_000, 5_540_000, 300] }),
  ];
  const city = await tests.put('city.gml', cityGml(houses.join('')));
  const { outputFolder, warnings } = await tests.run([city, terrain], options);
  const boxes = await boxesOf(outputFolder);
  for (const id of ['low', 'high', 'wide']) {
    const [lon, , height] = boxes.get(id)!;
    assert.ok(lon > 11 && lon < 11.06, `${lon}`);
    assert.ok(Math.abs(height - slope(lon)) < 3, `${id} at ${height} m, on ${slope(lon)} m`);
  }
  assert.ok(Math.abs(boxes.get('beside')![2] - 300) < 0.1);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['outsideTerrain'],
  );
});

test('a model stands on terrain as a whole, raised by the offset', async () => {
  const obj = objOfBoxes({
    cellar: [
      [0, 0, -3],
      [5, 5, 3],
    ],
    tower: [
      [0, 0, 0],
      [5, 5, 30],
    ],
  });
  const placement = { longitude: 11.03, latitude: 49.03, height: 0 };
  const { outputFolder } = await tests.run([await tests.put('tower.obj', obj), terrain], {
    ...options,
    modelOptions: { placement },
    heights: { mode: 'terrain', offset: 2 },
  });
  const boxes = await boxesOf(outputFolder);
  assert.ok(Math.abs(boxes.get('cellar')![2] - (slope(11.03) + 2)) < 3);
  assert.ok(Math.abs(boxes.get('tower')![2] - boxes.get('cellar')![2] - 3) < 0.05);
});

test('the mode and the terrain belong together', async () => {
  const city = await tests.put('city.gml', cityGml(houseXml({ id: 'a', at: [647_000, 5_431_000, 300] })));
  await assert.rejects(tests.run([city], options), {
    code: 'invalidOption',
    message: /terrain is not among/,
  });
  await assert.rejects(tests.run([city, terrain]), {
    code: 'invalidOption',
    message: /slope.pmtiles only in the mode/,
  });
});
