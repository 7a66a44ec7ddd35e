import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packWithDraco } from '../mesh/draco/testing.ts';
import { objectsByFeature, readTileModel } from './read-tile-model.ts';
import { glbOfTriangles, plainReading, tileOf } from './testing-tiles.ts';

test('a b3dm that is packed by Draco has the same features, also where its vertices are no whole numbers', async () => {
  const batch = { name: ['a', 'b'] };
  for (const packing of [{}, { bits: 20 }, { method: 'sequential' }] as const) {
    const rest = await packWithDraco(glbOfTriangles(), packing);
    const model = await readTileModel(
      tileOf('b3dm', { features: { BATCH_LENGTH: 2 }, batch, rest }),
      plainReading,
    );
    const { objects } = objectsByFeature(model);
    const corners = objects.map(({ attributes, parts }) => [
      attributes.get('name'),
      Map.groupBy([...parts[0]!.positions], (_, i) => Math.floor(i / 3))
        .values()
        .toArray()
        .map((corner) => corner.map((value) => value.toFixed(2)).join(' '))
        .toSorted(),
    ]);
    assert.deepEqual(corners, [
      ['a', ['0.00 -1.00 0.00', '0.00 0.00 1.00', '1.00 0.00 0.00']],
      ['b', ['0.00 -5.00 0.00', '0.00 0.00 5.00', '5.00 0.00 0.00']],
    ]);
  }
});
