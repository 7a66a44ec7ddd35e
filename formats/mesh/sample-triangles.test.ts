import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf } from '../bytes/unpacked-bytes.ts';
import { createGlbBuffer, writeGlb } from '../gltf/write-glb.ts';
import { openGltf } from './open-gltf.ts';
import { placeNodes } from './place-nodes.ts';
import { sampleTriangles } from './sample-triangles.ts';
import { createSurfaceBuffer } from './surface-buffer.ts';

/** A triangle for each number, with its positions in the packed view of that number. */
function glbOfViews(views: readonly number[]): Uint8Array {
  const buffer = createGlbBuffer();
  const byteLength = 36;
  const packed = { buffer: 0, byteLength: 4, byteStride: 12, count: 3, mode: 'ATTRIBUTES' };
  for (let i = 0; i <= Math.max(...views); i++)
    buffer.addView(Uint8Array.of(1, 2, 3, 4), {
      byteLength,
      extensions: { EXT_meshopt_compression: packed },
    });
  const json = {
    asset: { version: '2.0' },
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: views.map((_, i) => ({ attributes: { POSITION: i } })) }],
    accessors: views.map((bufferView) => ({ bufferView, componentType: 5126, count: 3, type: 'VEC3' })),
    bufferViews: buffer.bufferViews,
    buffers: [{ byteLength: buffer.length }],
  };
  return writeGlb(json, buffer.content());
}

test('a packed view is unpacked once for the parts that share it, and few are kept in memory', async () => {
  const unpackings = async (views: readonly number[]): Promise<number> => {
    const { gltf, read } = await openGltf(bytesOf(glbOfViews(views)), async () => undefined);
    const surfaces = createSurfaceBuffer(1000);
    let count = 0;
    await sampleTriangles(gltf, placeNodes(gltf).primitives, surfaces, {
      read,
      unpack: () => void count++,
      isOver: () => false,
    });
    assert.equal(surfaces.positionCount, 3 * views.length);
    return count;
  };
  assert.equal(await unpackings([0, 1, 0, 1, 0, 1]), 2);
  assert.equal(await unpackings([0, 1, 2, 3, 4, 5, 6, 7, 0]), 9);
});
