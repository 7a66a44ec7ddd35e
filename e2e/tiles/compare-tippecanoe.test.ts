// A test of tiles.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { summarise, type TilesetSummary } from './testing-summary.ts';
import {
  extracts,
  goldenFile,
  summaryOfTippecanoe,
  writeNumbered,
  type Extract,
  type Golden,
} from './testing-tippecanoe.ts';
import { tileFiles } from './testing-tiling.ts';

const program = process.env['TIPPECANOE'] || undefined;
const golden = JSON.parse(await readFile(goldenFile, 'utf8')) as Golden;

for (const extract of extracts) {
  const { name, path, maxZoom, areaShare } = extract;
  const skip = !existsSync(path) && `SKIPPED: no sample data at ${path}; set PLATEN_SAMPLE_DATA`;
  test(
    `${name}: what tippecanoe shows is shown, feature for feature and area for area`,
    { skip },
    async (t) => {
      const [ours, theirs] = [await summaryOfOurs(extract), golden.extracts[name]!];
      for (const line of linesOf(ours, theirs)) t.diagnostic(line);
      for (let zoom = 0; zoom <= maxZoom; zoom++) {
        const [our, their] = [ours.zooms[zoom]!, theirs.zooms[zoom]!];
        assert.ok(Math.abs(our.points - their.points) <= 0.001 * their.points, `points of zoom ${zoom}`);
        const bound = areaShare * their.area + areaUnits;
        assert.ok(Math.abs(our.area - their.area) <= bound, `area at zoom ${zoom}`);
      }
      const [our, their] = [ours.zooms[maxZoom]!, theirs.zooms[maxZoom]!];
      assert.ok(Math.abs(our.features - their.features) <= 0.005 * their.features, 'features');
      assert.ok(Math.abs(our.length - their.length) <= 0.001 * their.length, 'length');
      assert.deepEqual(Object.keys(ours.classes).toSorted(), Object.keys(theirs.classes).toSorted());
      for (const [kind, { area, rounding }] of Object.entries(theirs.classes)) {
        const difference = Math.abs(ours.classes[kind]!.area - area);
        assert.ok(difference <= Math.max(0.001 * area, 4 * rounding), `${kind}: ${difference} of ${area}`);
      }
    },
  );

  const why = program === undefined ? 'SKIPPED: tippecanoe is not named by TIPPECANOE' : skip;
  test(`${name}: tippecanoe makes what was written down of it`, { skip: why }, async () => {
    assert.deepEqual(await summaryOfTippecanoe(program!, extract), golden.extracts[name]);
  });
}

/** Tolerance for features too small to draw below the highest zoom, in square tile units. */
const areaUnits = 250;

async function summaryOfOurs(extract: Extract): Promise<TilesetSummary> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-compare-'));
  try {
    const input = join(folder, 'input.geojsonl');
    await writeNumbered(extract, input);
    const options = { tiling: { maxZoom: extract.maxZoom }, processing: { whenTooLarge: 'keep' } };
    return summarise((await tileFiles([input], options)).bytes);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function* linesOf(ours: TilesetSummary, theirs: TilesetSummary): Generator<string> {
  for (const [zoom, our] of ours.zooms.entries()) {
    const their = theirs.zooms[zoom]!;
    const figures = (['features', 'points', 'length', 'area'] as const).map(
      (name) => `${name} ${our[name]} / ${their[name]}`,
    );
    yield `zoom ${zoom}, ours / theirs: ${figures.join(' · ')}`;
  }
  for (const [kind, { area }] of Object.entries(theirs.classes)) {
    yield `${kind}: ${ours.classes[kind]?.area ?? 0} / ${area}`;
  }
}
