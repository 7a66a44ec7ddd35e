import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeLas } from '@platen/formats/las/testing';
import { afterFile } from '../../checks/clean-up.ts';
import { openPointTests, readTileset, type ReadTile } from './testing.ts';
import { small, town, utm } from './testing-town.ts';

const tests = await openPointTests();
afterFile(() => tests.remove());

/** All that is said of each point, in an order that does not depend on theirs. */
const pointsIn = ({ places, colours, properties }: ReadTile): string[] =>
  Array.from({ length: places.length / 3 }, (_, i) =>
    [
      ...Array.from(places.subarray(i * 3, i * 3 + 3), (value) => value.toFixed(4)),
      ...colours!.subarray(i * 3, i * 3 + 3),
      ...Object.values(properties).map((values) => values[i]!),
    ].join(' '),
  ).toSorted();

test('tiles in GLB have the points, colours and properties of those in pnts', async () => {
  const file = await tests.put(
    'town.las',
    writeLas({ pointFormat: 2, points: town(20_000), records: [utm] }),
  );
  for (const precisionMetres of [0.005, 0.001]) {
    const options = { ...small, tiling: { ...small.tiling, precisionMetres } };
    const [pnts, glb] = [
      await readTileset(await tests.run([file], options)),
      await readTileset(await tests.run([file], { ...options, output: { encoding: 'glb' } })),
    ];
    assert.equal(glb.tiles.length, pnts.tiles.length);
    for (const [i, tile] of glb.tiles.entries()) {
      const other = pnts.tiles[i]!;
      assert.equal(tile.uri.replace('.glb', '.pnts'), other.uri);
      assert.deepEqual(Object.keys(tile.properties), Object.keys(other.properties));
      assert.deepEqual(pointsIn(tile), pointsIn(other));
    }
  }
});
