import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BytesError } from '../bytes/bytes.ts';
import { parseLayerJson } from './layer-json.ts';
import { readMesh } from './read-mesh.ts';
import { writeMesh } from './testing.ts';

test('reads vertices, triangles and extensions of a tile', () => {
  const mesh = readMesh(writeMesh(-5, 100));
  assert.deepEqual([mesh.minHeight, mesh.maxHeight], [-5, 100]);
  assert.deepEqual(
    [[...mesh.u], [...mesh.v]],
    [
      [0, 32_767, 0, 32_767],
      [0, 0, 32_767, 32_767],
    ],
  );
  assert.deepEqual([...mesh.triangles], [0, 1, 2, 1, 3, 2]);
  assert.deepEqual(mesh.extensions, [1]);
});

test('a tile that is cut off anywhere is an error, except behind its edges', () => {
  const tile = writeMesh(0, 1);
  for (let length = 0; length < tile.length - 13; length++)
    assert.throws(() => readMesh(tile.subarray(0, length)), BytesError, `${length} bytes`);
});

test('reads the description of a terrain, and leaves out what makes no sense', () => {
  const text = JSON.stringify({
    format: 'quantized-mesh-1.0',
    tiles: ['{z}/{x}/{y}.terrain'],
    available: [[{ startX: 0, startY: 0, endX: 1, endY: 0 }], 'none', [{ startX: -1 }]],
    bounds: [1, 2, 'x', 4],
  });
  const layer = parseLayerJson(text)!;
  assert.deepEqual(layer.available, [[{ startX: 0, startY: 0, endX: 1, endY: 0 }], [], []]);
  assert.deepEqual([layer.scheme, layer.projection, layer.bounds], ['tms', 'EPSG:4326', undefined]);
  for (const other of ['', '[]', '{"format": 3}', '{"tiles": []}', '{'])
    assert.equal(parseLayerJson(other), undefined);
});
