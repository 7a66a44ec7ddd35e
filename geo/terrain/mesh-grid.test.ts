import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridOfMesh, heightInGrid } from './mesh-grid.ts';
import { placeMesh } from './place-mesh.ts';
import { eachVertexOfMesh, roughHeights, windowOf } from './testing.ts';
import { createTileMesher } from './tile-mesher.ts';
import { createVertexSurface, fillVertices } from './vertex-heights.ts';

const place = { z: 10, x: 1090, y: 233 };

test('the grid of a mesh has the heights of its triangles everywhere', () => {
  const mesher = createTileMesher();
  const surface = createVertexSurface();
  for (const [seed, maxError] of [2, 30, 200].entries()) {
    fillVertices(windowOf(roughHeights(seed), place), surface);
    const mesh = mesher(place, surface.heights, maxError);
    const placed = placeMesh(place, mesh);
    const grid = gridOfMesh(placed)!;
    assert.ok(grid.every((height) => !Number.isNaN(height)));
    // coordinates are rounded to 1/1024 of a cell, heights to 1/65534 of their range
    const tolerance = (placed.maxHeight - placed.minHeight) / 200;
    eachVertexOfMesh(mesh, Float64Array.from(mesh.heights), (vertex, height) => {
      assert.ok(Math.abs(grid[vertex]! - height) <= tolerance, `${grid[vertex]! - height} m at ${vertex}`);
      assert.equal(heightInGrid(grid, vertex % 65, Math.floor(vertex / 65)), grid[vertex]);
    });
  }
});

test('triangles that lie over each other a thousand times are refused', () => {
  const corners = [0, 32_767, 0];
  const mesh = {
    u: Uint16Array.from(corners),
    v: Uint16Array.of(0, 0, 32_767),
    heights: Uint16Array.from(corners),
    minHeight: 0,
    maxHeight: 1,
  };
  const once = gridOfMesh({ ...mesh, triangles: [0, 1, 2] })!;
  assert.equal(once[64 * 65], 0);
  assert.ok(Number.isNaN(once[64]!), 'nothing is beyond a triangle');
  const triangles = Array.from({ length: 6000 }, (_, i) => i % 3);
  assert.equal(gridOfMesh({ ...mesh, triangles }), undefined);
});
