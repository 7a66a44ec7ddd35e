import type { ShapeType } from '../shape/shape.ts';
import type { Int32Buffer } from '../shape/int32-buffer.ts';
import { endOfValue } from './attributes.ts';
import {
  createByteWriter,
  reserveBytes,
  varintLength,
  writeBytes,
  writeVarint,
  type ByteWriter,
} from './byte-writer.ts';
import { createGeometryEncoder, type GeometryOptions } from './geometry-encoder.ts';
import { recordHeaderWords, shapeOf, valuesAt } from './feature-record.ts';
import type { CommandWriter } from './command-writer.ts';
import { createValueTable, type ValueTable } from './value-table.ts';

export interface TileEncoderOptions extends GeometryOptions {
  readonly layers: readonly string[];
  /** Attribute names that records refer to by index. */
  readonly keys: readonly string[];
  /** The key whose value is the first zoom at which features have this attribute: below 128, and the last of a record. */
  readonly zoomKey?: number | undefined;
  /** In bytes, uncompressed. Features that would exceed it are refused. */
  readonly maxTileBytes: number;
}

export type AddResult = 'added' | 'outside' | 'full';

export interface TileEncoder {
  begin(z: number, x: number, y: number): void;
  /** @returns 'outside' also for features too small to be visible in the tile */
  add(store: Int32Buffer, record: number, shape: number): AddResult;
  /** Polygons of this tile that were made valid, and those left invalid because repair would take too long. */
  readonly repaired: number;
  readonly unrepaired: number;
  /** The geometry that `add` would write, valid until the next call; undefined if it is outside. */
  encode(store: Int32Buffer, record: number, shape: number): CommandWriter | undefined;
  /** Adds the attributes and id of a record with a geometry that was encoded in this tile. */
  write(store: Int32Buffer, record: number, commands: ByteWriter): AddResult;
  /** Bytes of the uncompressed tile so far, except for a few per layer. */
  readonly length: number;
  /** The tile, valid until `begin`; undefined if it is empty. */
  finish(): Uint8Array | undefined;
}

interface Layer {
  readonly features: ByteWriter;
  readonly keys: ByteWriter;
  readonly values: ValueTable;
  /** For each key the tile that used it last, and its index there. */
  readonly keyTile: Int32Array;
  readonly keyPlace: Int32Array;
  keyCount: number;
}

/** Writes Mapbox Vector Tiles 2.1. */
export function createTileEncoder(options: TileEncoderOptions): TileEncoder {
  const { maxTileBytes, zoomKey } = options;
  const geometry = createGeometryEncoder(options);
  const layers: (Layer | undefined)[] = options.layers.map(() => undefined);
  const tags = createByteWriter(1024);
  const tile = createByteWriter(1 << 20);
  const text = new TextEncoder();
  const names = options.layers.map((name) => text.encode(name));
  const keys = options.keys.map((key) => text.encode(key));
  let tileNumber = 0;
  let zoom = 0;
  let length = 0;

  const placeOfKey = (layer: Layer, key: number): number => {
    if (layer.keyTile[key] === tileNumber) return layer.keyPlace[key]!;
    layer.keyTile[key] = tileNumber;
    const name = keys[key]!;
    writeVarint(layer.keys, 0x1a);
    writeVarint(layer.keys, name.length);
    writeBytes(layer.keys, name, 0, name.length);
    return (layer.keyPlace[key] = layer.keyCount++);
  };
  const encode = (store: Int32Buffer, record: number, shape: number): CommandWriter | undefined => {
    const zooms = store.words[record + 6]!;
    // Features that would start beyond the last zoom start at the last zoom.
    if (zoom < Math.min(zooms & 255, options.maxZoom) || zoom > zooms >> 8) return undefined;
    const type = (store.words[record + 1]! & 3) as ShapeType;
    return geometry.encode(store, shape, type);
  };
  const writeTags = (layer: Layer, { words, bytes }: Int32Buffer, record: number): void => {
    const count = words[record + 4]!;
    tags.length = 0;
    reserveBytes(tags, count * maxTagBytes);
    let start = valuesAt(words, record);
    for (let i = 0, at = record + recordHeaderWords; i < count; i++, at += 2) {
      const end = endOfValue(bytes, start);
      if (words[at] === zoomKey && bytes[end - 1]! > zoom) return;
      writeSmall(tags, placeOfKey(layer, words[at]!));
      writeSmall(tags, layer.values.placeOf(words[at + 1]!, bytes, start, end));
      start = end;
    }
  };
  const write = (store: Int32Buffer, record: number, commands: ByteWriter): AddResult => {
    const head = store.words[record + 1]!;
    const layer = (layers[head >> 3] ??= createLayer(keys.length));
    const recordBytes = (shapeOf(store.words, record) - record) * 4;
    const before = layer.features.length + layer.keys.length + layer.values.fields.length;
    if (length + commands.length + recordBytes > maxTileBytes) return 'full';
    writeTags(layer, store, record);
    const hasId = (head & 4) !== 0;
    const id = hasId ? (store.words[record + 2]! >>> 0) + (store.words[record + 3]! >>> 0) * 2 ** 32 : 0;
    const idLength = hasId ? 1 + varintLength(id) : 0;
    const tagsLength = tags.length === 0 ? 0 : 1 + varintLength(tags.length) + tags.length;
    const out = layer.features;
    reserveBytes(out, 48 + tags.length + commands.length);
    writeSmall(out, 0x12);
    writeSmall(out, idLength + tagsLength + 2 + 1 + varintLength(commands.length) + commands.length);
    if (hasId) {
      writeSmall(out, 0x08);
      writeVarint(out, id);
    }
    if (tags.length > 0) {
      writeSmall(out, 0x12);
      writeSmall(out, tags.length);
      writeBytes(out, tags.bytes, 0, tags.length);
    }
    writeSmall(out, 0x18);
    writeSmall(out, head & 3);
    writeSmall(out, 0x22);
    writeSmall(out, commands.length);
    writeBytes(out, commands.bytes, 0, commands.length);
    length += layer.features.length + layer.keys.length + layer.values.fields.length - before;
    return 'added';
  };

  return {
    begin(z, x, y) {
      tileNumber++;
      zoom = z;
      length = 0;
      geometry.begin(z, x, y);
      for (const layer of layers) if (layer !== undefined) clear(layer);
    },
    get repaired() {
      return geometry.repaired;
    },
    get unrepaired() {
      return geometry.unrepaired;
    },
    get length() {
      return length;
    },
    add(store, record, shape) {
      const encoded = encode(store, record, shape);
      return encoded === undefined ? 'outside' : write(store, record, encoded);
    },
    encode,
    write,
    finish() {
      tile.length = 0;
      for (const [i, layer] of layers.entries()) {
        if (layer === undefined || layer.features.length === 0) continue;
        writeLayer(tile, layer, names[i]!, options.extent);
      }
      return tile.length === 0 ? undefined : tile.bytes.subarray(0, tile.length);
    },
  };
}

/** Two integers below 2^31. */
const maxTagBytes = 10;

/** Writes an integer below 2^31 where room has been reserved. */
function writeSmall(out: ByteWriter, value: number): void {
  const { bytes } = out;
  let at = out.length;
  while (value > 127) {
    bytes[at++] = (value & 127) | 128;
    value >>>= 7;
  }
  bytes[at++] = value;
  out.length = at;
}

function writeLayer(tile: ByteWriter, layer: Layer, name: Uint8Array, extent: number): void {
  const { features, keys } = layer;
  const values = layer.values.fields;
  const length =
    2 + // version
    (1 + varintLength(name.length) + name.length) +
    (features.length + keys.length + values.length) +
    (1 + varintLength(extent));
  writeVarint(tile, 0x1a);
  writeVarint(tile, length);
  writeVarint(tile, 0x78);
  writeVarint(tile, 2);
  writeVarint(tile, 0x0a);
  writeVarint(tile, name.length);
  writeBytes(tile, name, 0, name.length);
  for (const part of [features, keys, values]) writeBytes(tile, part.bytes, 0, part.length);
  writeVarint(tile, 0x28);
  writeVarint(tile, extent);
}

function createLayer(keyCount: number): Layer {
  return {
    features: createByteWriter(1 << 16),
    keys: createByteWriter(1 << 10),
    values: createValueTable(createByteWriter(1 << 14)),
    keyTile: new Int32Array(keyCount),
    keyPlace: new Int32Array(keyCount),
    keyCount: 0,
  };
}

function clear(layer: Layer): void {
  layer.features.length = 0;
  layer.keys.length = 0;
  layer.values.clear();
  layer.keyCount = 0;
}
