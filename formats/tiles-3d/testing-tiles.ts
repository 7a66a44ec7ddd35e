import assert from 'node:assert/strict';
import { identity } from '@platen/geo/geodesy/matrix';
import { createGlbBuffer, writeGlb } from '../gltf/write-glb.ts';
import type { TileModelReading } from './read-tile-model.ts';

/** Reads a tile that stands where it is, without files beside it; a notice fails the test. */
export const plainReading: TileModelReading = {
  place: { matrix: identity, upAxis: 'y' },
  find: async () => undefined,
  unpack: () => {},
  embedded: (part, image) => `${part}-${image}`,
  onNotice: (notice, detail) => assert.fail(`${notice}: ${detail}`),
};

/** Part of a table: JSON padded so that what follows begins at a multiple of 8. */
function jsonBytes(value: object, before: number): Buffer {
  const text = Buffer.from(JSON.stringify(value));
  return Buffer.concat([text, Buffer.alloc((8 - ((before + text.length) % 8)) % 8, 0x20)]);
}

export interface SampleTile {
  readonly features: object;
  readonly featureBinary?: Uint8Array;
  readonly batch?: object;
  readonly batchBinary?: Uint8Array;
  /** What follows the tables: a GLB, or its address. */
  readonly rest: Uint8Array;
}

/** A b3dm or i3dm as the standard lays it out. */
export function tileOf(magic: 'b3dm' | 'i3dm', sample: SampleTile): Buffer {
  const headerBytes = magic === 'b3dm' ? 28 : 32;
  const pad = (bytes: Uint8Array): Buffer =>
    Buffer.concat([bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)]);
  const features = jsonBytes(sample.features, headerBytes);
  const featureBinary = pad(sample.featureBinary ?? new Uint8Array(0));
  const batch = sample.batch === undefined ? Buffer.alloc(0) : jsonBytes(sample.batch, 0);
  const batchBinary = pad(sample.batchBinary ?? new Uint8Array(0));
  const rest = pad(sample.rest);
  const header = Buffer.alloc(headerBytes);
  header.write(magic, 0, 'latin1');
  const parts = [features, featureBinary, batch, batchBinary];
  const length = [...parts, rest].reduce((sum, part) => sum + part.length, headerBytes);
  for (const [i, value] of [1, length, ...parts.map((part) => part.length)].entries())
    header.writeUInt32LE(value, 4 + i * 4);
  if (magic === 'i3dm') header.writeUInt32LE(1, 28);
  return Buffer.concat([header, ...parts, rest]);
}

/** A composite of tiles. */
export function cmptOf(...tiles: readonly Uint8Array[]): Buffer {
  const header = Buffer.alloc(16);
  header.write('cmpt', 0, 'latin1');
  header.writeUInt32LE(1, 4);
  header.writeUInt32LE(
    tiles.reduce((sum, tile) => sum + tile.length, 16),
    8,
  );
  header.writeUInt32LE(tiles.length, 12);
  return Buffer.concat([header, ...tiles]);
}

/** A subtree with bits of its tiles, contents and subtrees below. */
export function subtreeOf(bits: {
  readonly tiles: number[];
  readonly contents: number[];
  readonly children: number[];
}): Buffer {
  const streams = [bits.tiles, bits.contents, bits.children].map((numbers) => {
    const bytes = Buffer.alloc(8);
    for (const number of numbers) bytes[number >> 3]! |= 1 << (number & 7);
    return bytes;
  });
  const json = jsonBytes(
    {
      buffers: [{ byteLength: 24 }],
      bufferViews: streams.map((_, i) => ({ buffer: 0, byteOffset: i * 8, byteLength: 8 })),
      tileAvailability: { bitstream: 0 },
      contentAvailability: [{ bitstream: 1 }],
      childSubtreeAvailability: { bitstream: 2 },
    },
    0,
  );
  const header = Buffer.alloc(24);
  header.write('subt', 0, 'latin1');
  header.writeUInt32LE(1, 4);
  header.writeBigUInt64LE(BigInt(json.length), 8);
  header.writeBigUInt64LE(24n, 16);
  return Buffer.concat([header, json, ...streams]);
}

/** Of the first triangle 1 m along x, y and z of the glTF, of the second 5 m. */
const cornersAlongAxes = [1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 0, 0, 0, 5, 0, 0, 0, 5];

/** Two triangles with a batch id each. */
export function glbOfTriangles(
  change: (json: Record<string, unknown>) => void = () => {},
  corners: readonly number[] = cornersAlongAxes,
): Uint8Array {
  const buffer = createGlbBuffer();
  buffer.addView(new Uint8Array(Float32Array.from(corners).buffer));
  buffer.addView(new Uint8Array(Float32Array.of(0, 0, 0, 1, 1, 1).buffer));
  const json: Record<string, unknown> = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, _BATCHID: 1 } }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 6, type: 'VEC3' },
      { bufferView: 1, componentType: 5126, count: 6, type: 'SCALAR' },
    ],
    bufferViews: buffer.bufferViews,
    buffers: [{ byteLength: 0 }],
  };
  change(json);
  (json['buffers'] as object[])[0] = { byteLength: buffer.length };
  return writeGlb(json, buffer.content());
}
