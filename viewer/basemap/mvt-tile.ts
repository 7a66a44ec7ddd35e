import { writeAttributeValue } from '@platen/geo/mvt/attributes';
import { createByteWriter, writeBytes, writeVarint } from '@platen/geo/mvt/byte-writer';
import { createCommandWriter, writeLine, writePoints, writeRing } from '@platen/geo/mvt/command-writer';
import type { Point } from './clip-to-box.ts';

/** Tile size in the units of its geometry. */
export const tileExtent = 4096;

const types = { point: 1, line: 2, polygon: 3 } as const;

/** A feature of one tile, in tile units. The first ring of a polygon is the outer one. */
export interface TileFeature {
  readonly type: keyof typeof types;
  readonly parts: readonly (readonly Point[])[];
  readonly attributes?: Readonly<Record<string, string | number>>;
}

/** Encodes a Mapbox Vector Tile 2.1 of named layers; empty layers are omitted. */
export function encodeTile(layers: Readonly<Record<string, readonly TileFeature[]>>): Uint8Array {
  const tile = createByteWriter(1 << 16);
  for (const [name, features] of Object.entries(layers)) {
    if (features.length > 0) writeMessage(tile, 3, encodeLayer(name, features));
  }
  return tile.bytes.slice(0, tile.length);
}

function encodeLayer(name: string, features: readonly TileFeature[]): Uint8Array {
  const layer = createByteWriter(1 << 14);
  const keys = new Map<string, number>();
  const values = new Map<string | number, number>();
  writeVarint(layer, (15 << 3) | 0);
  writeVarint(layer, 2);
  writeMessage(layer, 1, new TextEncoder().encode(name));
  for (const feature of features) {
    const tags = Object.entries(feature.attributes ?? {}).flatMap(([key, value]) => [
      place(keys, key),
      place(values, value),
    ]);
    writeMessage(layer, 2, encodeFeature(feature, tags));
  }
  for (const key of keys.keys()) writeMessage(layer, 3, new TextEncoder().encode(key));
  for (const value of values.keys()) {
    const body = createByteWriter(64);
    writeAttributeValue(body, value); // length-prefixed
    writeVarint(layer, (4 << 3) | 2);
    writeBytes(layer, body.bytes, 0, body.length);
  }
  writeVarint(layer, (5 << 3) | 0);
  writeVarint(layer, tileExtent);
  return layer.bytes.slice(0, layer.length);
}

function encodeFeature({ type, parts }: TileFeature, tags: readonly number[]): Uint8Array {
  const pen = createCommandWriter();
  for (const part of parts) {
    const xy = Float64Array.from(part.flat());
    if (type === 'point') writePoints(pen, xy, part.length);
    else if (type === 'line') writeLine(pen, xy, part.length);
    else writeRing(pen, xy, 0, part.length);
  }
  const feature = createByteWriter(pen.length + 64);
  const packedTags = createByteWriter(32);
  for (const tag of tags) writeVarint(packedTags, tag);
  if (tags.length > 0) writeMessage(feature, 2, packedTags.bytes.subarray(0, packedTags.length));
  writeVarint(feature, (3 << 3) | 0);
  writeVarint(feature, types[type]);
  writeMessage(feature, 4, pen.bytes.subarray(0, pen.length));
  return feature.bytes.slice(0, feature.length);
}

function writeMessage(out: ReturnType<typeof createByteWriter>, field: number, bytes: Uint8Array): void {
  writeVarint(out, (field << 3) | 2);
  writeVarint(out, bytes.length);
  writeBytes(out, bytes, 0, bytes.length);
}

function place<K>(places: Map<K, number>, key: K): number {
  const known = places.get(key);
  if (known !== undefined) return known;
  places.set(key, places.size);
  return places.size - 1;
}
