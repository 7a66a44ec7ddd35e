import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BytesError } from '../bytes/bytes.ts';
import { SourceError } from '../source/source.ts';
import { seeded } from '../wkb/testing.ts';
import { createGlbBuffer, writeGlb } from '../gltf/write-glb.ts';
import { readPointPlaces } from './read-point-places.ts';
import { writePnts } from './write-pnts.ts';

const neverPacked = (): never => {
  throw new Error('nothing is packed');
};
const read = (content: Uint8Array) => readPointPlaces(content, neverPacked);
const plain = { count: 2, colours: Uint8Array.of(1, 2, 3, 4, 5, 6), properties: [] };
const quantized = writePnts({
  ...plain,
  positions: {
    kind: 'quantized',
    values: Uint16Array.of(0, 65_535, 13_107, 65_535, 0, 0),
    offset: [100, 200, 300],
    scale: [10, 20, 5],
  },
});
const floats = writePnts({
  ...plain,
  positions: { kind: 'float', values: Float32Array.of(1, 2, 3, -4, -5, -6), centre: [1000, 2000, 3000] },
});

/** With nodes that move and scale it, y upwards. */
function glb(): Buffer {
  const buffer = createGlbBuffer();
  const bufferView = buffer.addView(Buffer.from(Float32Array.of(1, 2, 3, 4, 5, 6).buffer));
  return Buffer.from(
    writeGlb(
      {
        asset: { version: '2.0' },
        scene: 0,
        scenes: [{ nodes: [0] }],
        nodes: [
          { translation: [10, 20, 30], children: [1] },
          { mesh: 0, scale: [2, 2, 2] },
        ],
        meshes: [
          {
            primitives: [
              { mode: 0, attributes: { POSITION: 0 } },
              { mode: 4, attributes: { POSITION: 0 } },
            ],
          },
        ],
        accessors: [{ bufferView, componentType: 5126, count: 2, type: 'VEC3' }],
        bufferViews: buffer.bufferViews,
        buffers: [{ byteLength: 24 }],
      },
      buffer.content(),
    ),
  );
}

test('places of points come as the tile has them, with z upwards', async () => {
  assert.deepEqual([...(await read(quantized))], [100, 220, 301, 110, 200, 300]);
  assert.deepEqual([...(await read(floats))], [1001, 2002, 3003, 996, 1995, 2994]);
  // x, −z, y of what the nodes make of it; triangles are left out
  assert.deepEqual([...(await read(glb()))], [12, -36, 24, 18, -42, 30]);
});

test('damaged tiles, and those of something else, end in an error that says so', async () => {
  await assert.rejects(read(Buffer.from('b3dm')), /no tile of points/);
  await assert.rejects(read(quantized.subarray(0, 20)), /cut off/);
  for (const whole of [quantized, floats, glb()]) {
    const random = seeded(7);
    for (let mutant = 0; mutant < 200; mutant++) {
      const copy = Buffer.from(whole);
      for (let i = 0; i <= mutant % 4; i++) copy[random(copy.length)] = random(256);
      const cut = mutant % 5 === 0 ? copy.subarray(0, random(copy.length)) : copy;
      await read(cut).catch((error: unknown) => {
        assert.ok(error instanceof BytesError || error instanceof SourceError, String(error));
      });
    }
  }
});
