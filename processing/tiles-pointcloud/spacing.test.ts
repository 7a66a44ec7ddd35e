import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytesOf } from '@platen/formats/bytes/unpacked-bytes';
import { openZip } from '@platen/formats/zip/open-zip';
import { writeLas } from '@platen/formats/las/testing';
import { afterFile } from '../../checks/clean-up.ts';
import { isLikeFull, runUpdate, withContent } from '../raster-source/testing-updates.ts';
import { openPointTests, readTileset, type ReadTile } from './testing.ts';
import { small, town, utm } from './testing-town.ts';

const tests = await openPointTests();
afterFile(() => tests.remove());

const count = 9000;
const put = async (seed = 1) =>
  withContent(
    await tests.put('town.las', writeLas({ pointFormat: 2, points: town(count, seed), records: [utm] })),
  );
const optionsOf = (spacing?: number) => ({
  ...small,
  tiling: { pointsPerTile: 400, ...(spacing !== undefined && { spacing }) },
});

/** The smallest distance of a point to another one of its tile. */
function minDistance({ places }: ReadTile): number {
  let min = Infinity;
  for (let i = 0; i < places.length; i += 3)
    for (let j = i + 3; j < places.length; j += 3)
      min = Math.min(
        min,
        Math.hypot(places[i]! - places[j]!, places[i + 1]! - places[j + 1]!, places[i + 2]! - places[j + 2]!),
      );
  return min;
}

const pointsIn = (tiles: readonly ReadTile[]) =>
  tiles.reduce((sum, { places }) => sum + places.length / 3, 0);

test('the points of the coarsest tile are as far apart as asked for, and each level has half of it', async () => {
  const file = await put();
  const automatic = await readTileset(await tests.run([file], optionsOf()));
  // the cube has 512 m, as its corner lies at a multiple of half its side: 4 m
  for (const [asked, used] of [
    [undefined, 4],
    [4, 4],
    [9, 8],
    [16, 16],
  ] as const) {
    const { tiles } = await readTileset(await tests.run([file], optionsOf(asked)));
    assert.equal(pointsIn(tiles), pointsIn(automatic.tiles));
    const top = Math.min(...tiles.map(({ level }) => level));
    const roots = tiles.filter(({ level }) => level === top);
    assert.deepEqual([roots.length, roots[0]!.geometricError], [1, used * 6]);
    const distance = minDistance(roots[0]!);
    assert.ok(distance >= 0.69 * used, `${distance} for ${used}`);
    for (const { level, geometricError } of tiles)
      assert.equal(geometricError, (used * 6) / 2 ** (level - top));
    if (asked === 4) assert.deepEqual(tiles, automatic.tiles);
  }
});

test('with less than the automatic spacing, coarser tiles are empty, and viewers are led below them', async () => {
  const file = await put();
  const fine = await tests.run([file], optionsOf(3));
  const { tiles } = await readTileset(fine);
  const automatic = await readTileset(await tests.run([file], optionsOf()));
  assert.equal(pointsIn(tiles), pointsIn(automatic.tiles));
  // leaves with all of their few points may be coarser
  const inner = new Set(tiles.map(({ parent }) => parent));
  const coarsest = tiles.filter((tile) => inner.has(tile) && tile.geometricError === 12);
  for (const tile of inner) assert.ok(tile === undefined || tile.geometricError <= 12);
  assert.ok(coarsest.length > 0);
  for (const tile of coarsest.slice(0, 2)) assert.ok(minDistance(tile) >= 0.69 * 2);
  const zip = await openZip(bytesOf(await readFile(join(fine.outputFolder, fine.result.datasource!.path))));
  const json = await zip.open((await zip.find('tileset.json'))!);
  const { root } = JSON.parse(Buffer.from(await json.read(0, json.size)).toString()) as {
    root: { geometricError: number; content?: object; children: { geometricError: number }[] };
  };
  assert.deepEqual([root.geometricError, root.content], [512, undefined]);
  assert.ok(root.children.every(({ geometricError }) => geometricError === 12));
});

test('an update of tiles with a spacing has the bytes of a full run', async () => {
  const sheets = await Promise.all(
    Array.from({ length: 9 }, async (_, i) => {
      const points = town(2500, i + 1, [500_000 + (i % 3) * 150, 5_400_000 + Math.floor(i / 3) * 150]);
      return withContent(await tests.put(`${i}.las`, writeLas({ pointFormat: 2, points, records: [utm] })));
    }),
  );
  const changed = sheets.toSpliced(8, 1);
  const options = { ...small, tiling: { pointsPerTile: 400, spacing: 0.6 } };
  const former = await tests.run(sheets, options);
  const updated = await runUpdate((more) => tests.run(changed, options, more), former);
  assert.ok(updated.copied['make']! > 0);
  await isLikeFull(updated, await tests.run(changed, options));
});
