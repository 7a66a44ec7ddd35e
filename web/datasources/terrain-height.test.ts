import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeMesh } from '@platen/formats/quantized-mesh/write-mesh';
import { heightInTile, undulationAt } from './terrain-height.ts';

test('the height at a place is that of the triangle there', () => {
  // a tile of two triangles that rises from 100 m in the south-west to 300 m in the north-east
  const { buffer } = writeMesh({
    minHeight: 100,
    maxHeight: 300,
    u: Uint16Array.of(0, 32_767, 0, 32_767),
    v: Uint16Array.of(0, 0, 32_767, 32_767),
    heights: Uint16Array.of(0, 16_384, 16_384, 32_767),
    triangles: Uint16Array.of(0, 1, 2, 2, 1, 3),
    centre: [0, 0, 0],
    radius: 1,
    horizonPoint: [0, 0, 1],
  });
  for (const [u, v, height] of [
    [0, 0, 100],
    [0.25, 0.25, 150],
    [0.5, 0.5, 200],
    [0.9, 0.8, 270],
    [1, 1, 300],
  ] as const) {
    const found = heightInTile(buffer as ArrayBuffer, u, v)!;
    assert.ok(Math.abs(found - height) < 0.02, `${found} instead of ${height}`);
  }
  assert.equal(heightInTile(buffer as ArrayBuffer, 1.5, 0.5), undefined);
});

test('the undulation is interpolated within the extent', () => {
  const undulations = { columns: 2, rows: 2, values: [46, 48, 44, 46] };
  assert.equal(undulationAt(undulations, [10, 50, 12, 52], [11, 51]), 46);
  assert.equal(undulationAt(undulations, [10, 50, 12, 52], [12, 52]), 48);
  assert.equal(undulationAt(undulations, [10, 50, 12, 52], [13, 51]), undefined);
});
