import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGltf } from '../gltf.ts';
import { createDracoReader } from './draco-meshes.ts';
import { encodeDraco } from './testing.ts';

const faces = 40;
const sound = encodeDraco({
  indices: Uint32Array.from({ length: faces * 3 }, (_, i) => i),
  attributes: [
    { kind: 'POSITION', width: 3, values: Float32Array.from({ length: faces * 9 }, (_, i) => (i * i) % 97) },
  ],
});
/** With its header and nothing else. */
const damaged = new Uint8Array(sound.length);
damaged.set(sound.subarray(0, 16));
const packed = [damaged, sound];
const gltf = readGltf({
  asset: { version: '2.0' },
  bufferViews: packed.map(({ length }, buffer) => ({ buffer, byteLength: length })),
})!;

/** Reads views one after the other. @returns which could be decoded, and which buffers were read */
async function readViews(views: readonly number[], limits: { maxFaces?: number; maxBytes?: number }) {
  const buffers: number[] = [];
  const read = async (buffer: number) => {
    buffers.push(buffer);
    return packed[buffer];
  };
  const readDraco = createDracoReader(gltf, read, { maxFaces: 1000, maxBytes: 1e6, ...limits });
  const decoded = [];
  for (const bufferView of views) decoded.push((await readDraco({ bufferView, attributes: {} }))?.faces);
  return { decoded, buffers };
}

test('each packed mesh is read once, and one of too many bytes never', async () => {
  assert.deepEqual(await readViews([1, 0, 1, 0], {}), {
    decoded: [faces, undefined, faces, undefined],
    buffers: [1, 0],
  });
  assert.deepEqual(await readViews([1], { maxBytes: sound.length - 1 }), {
    decoded: [undefined],
    buffers: [],
  });
});

test('faces of damaged meshes count, but not those that are refused', async () => {
  assert.deepEqual((await readViews([0, 1], { maxFaces: faces * 2 - 1 })).decoded, [undefined, undefined]);
  assert.deepEqual((await readViews([0, 1], { maxFaces: faces * 2 })).decoded, [undefined, faces]);
  assert.deepEqual((await readViews([0, 1], { maxFaces: faces - 1 })).decoded, [undefined, undefined]);
});
