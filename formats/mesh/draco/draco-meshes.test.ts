import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceError } from '../../source/source.ts';
import { readGltf } from '../gltf.ts';
import { createDracoReader, measureDraco } from './draco-meshes.ts';
import { encodeDraco } from './testing.ts';

const faces = 40;
const source = {
  indices: Uint32Array.from({ length: faces * 3 }, (_, i) => i),
  attributes: [
    { kind: 'POSITION', width: 3, values: Float32Array.from({ length: faces * 9 }, (_, i) => (i * i) % 97) },
  ],
} as const;
const sound = encodeDraco(source);
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

test('meshes are measured by their headers, each once, and none is decoded that claims more memory than there is', async () => {
  const lying = encodeDraco(source, { claims: { faces: 4e6, vertices: 2e6 } });
  const meshes = [sound, lying, lying.subarray(0, 5)];
  const views = meshes.map((_, bufferView) => ({
    extensions: { KHR_draco_mesh_compression: { bufferView } },
  }));
  const claiming = readGltf({
    asset: { version: '2.0' },
    meshes: [{ primitives: [...views, views[1]] }],
    bufferViews: meshes.map(({ length }, buffer) => ({ buffer, byteLength: length })),
  })!;
  const read = async (buffer: number, offset: number, length: number) =>
    meshes[buffer]!.subarray(offset, offset + length);
  const bytes = await measureDraco(claiming, read);
  assert.ok(bytes > 4e6 * 80 && bytes < 4e6 * 200, `${bytes}`);
  const limits = { maxFaces: 1e7, maxBytes: 1e6 };
  const extension = (bufferView: number) => ({ bufferView, attributes: {} });
  const bounded = createDracoReader(claiming, read, { ...limits, maxDecodingBytes: 300e6 });
  assert.equal((await bounded(extension(0)))?.faces, faces);
  await assert.rejects(
    bounded(extension(1)),
    (error) => error instanceof SourceError && /MiB/.test(error.message),
  );
  const unbounded = createDracoReader(claiming, read, limits);
  assert.equal(await unbounded(extension(1)), undefined, 'its claim is not true');
});
