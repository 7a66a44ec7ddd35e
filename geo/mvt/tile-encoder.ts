import type { ShapeType } from '../shape/shape.ts';
import type { Words } from '../shape/words.ts';
import type { AttributeDictionary } from './attributes.ts';
import { createByteWriter, varintLength, writeBytes, writeVarint, type ByteWriter } from './byte-writer.ts';
import { createGeometryEncoder, type GeometryOptions } from './geometry-encoder.ts';
import { recordHead, shapeOf } from './feature-record.ts';

export interface TileEncoderOptions extends GeometryOptions {
  readonly layers: readonly string[];
  readonly dictionary: AttributeDictionary;
  /** Features that would make the unpacked tile longer than this are refused. */
  readonly longestTileBytes: number;
}

export interface TileEncoder {
  begin(z: number, x: number, y: number): void;
  /** @returns 'added', 'outside' the tile or too small to see in it, or 'full' */
  add(store: Words, record: number, shape: number): 'added' | 'outside' | 'full';
  /** The tile, valid until the next one begins; undefined if it is empty. */
  finish(): Uint8Array | undefined;
}

interface Layer {
  readonly features: ByteWriter;
  readonly keys: ByteWriter;
  readonly values: ByteWriter;
  /** Tile number + 1 at which a key or value of the dictionary was last used, and its place in the tile. */
  keyTile: Int32Array;
  keyPlace: Int32Array;
  valueTile: Int32Array;
  valuePlace: Int32Array;
  readonly loose: Map<string, number>;
  keyCount: number;
  valueCount: number;
}

/** Mapbox Vector Tile 2.1. */
export function createTileEncoder(options: TileEncoderOptions): TileEncoder {
  const { dictionary, longestTileBytes } = options;
  const geometry = createGeometryEncoder(options);
  const layers: (Layer | undefined)[] = options.layers.map(() => undefined);
  const tags = createByteWriter(1024);
  const tile = createByteWriter(1 << 20);
  const names = options.layers.map((name) => new TextEncoder().encode(name));
  const latin1 = new TextDecoder('latin1');
  let tileNumber = 0;

  const placeOfKey = (layer: Layer, key: number): number => {
    if (layer.keyTile[key] === tileNumber) return layer.keyPlace[key]!;
    layer.keyTile[key] = tileNumber;
    dictionary.writeKey(fieldOf(layer.keys, 0x1a), key);
    return (layer.keyPlace[key] = layer.keyCount++);
  };
  const placeOfValue = (layer: Layer, value: number): number => {
    if (layer.valueTile[value] === tileNumber) return layer.valuePlace[value]!;
    layer.valueTile[value] = tileNumber;
    dictionary.writeValue(fieldOf(layer.values, 0x22), value);
    return (layer.valuePlace[value] = layer.valueCount++);
  };
  const placeOfLoose = (layer: Layer, bytes: Uint8Array, start: number): number => {
    let end = start;
    let length = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[end++]!;
      length += (byte & 127) * factor;
      if (byte < 128) break;
    }
    end += length;
    const text = latin1.decode(bytes.subarray(start, end));
    let place = layer.loose.get(text);
    if (place === undefined) {
      place = layer.valueCount++;
      layer.loose.set(text, place);
      writeBytes(fieldOf(layer.values, 0x22), bytes, start, end);
    }
    return place;
  };
  const writeTags = (layer: Layer, { words, bytes }: Words, record: number): void => {
    tags.length = 0;
    const count = words[record + 4]!;
    const loose = (record + recordHead + count * 2) * 4;
    for (let i = 0; i < count; i++) {
      const at = record + recordHead + i * 2;
      const value = words[at + 1]!;
      writeVarint(tags, placeOfKey(layer, words[at]!));
      writeVarint(
        tags,
        value >= 0 ? placeOfValue(layer, value) : placeOfLoose(layer, bytes, loose - 1 - value),
      );
    }
  };

  return {
    begin(z, x, y) {
      tileNumber++;
      geometry.begin(z, x, y);
      for (const layer of layers) if (layer !== undefined) clear(layer);
    },
    add(store, record, shape) {
      const head = store.words[record + 1]!;
      const type = (head & 3) as ShapeType;
      if (!geometry.encode(store, shape, type)) return 'outside';
      const layer = (layers[head >> 3] ??= createLayer(dictionary));
      const { commands } = geometry;
      const recordBytes = (shapeOf(store.words, record) - record) * 4;
      if (layer.features.length + layer.values.length + commands.length + recordBytes > longestTileBytes)
        return 'full';
      writeTags(layer, store, record);
      const hasId = (head & 4) !== 0;
      const id = hasId ? (store.words[record + 2]! >>> 0) + (store.words[record + 3]! >>> 0) * 2 ** 32 : 0;
      const idLength = hasId ? 1 + varintLength(id) : 0;
      const tagsLength = tags.length === 0 ? 0 : 1 + varintLength(tags.length) + tags.length;
      const length = idLength + tagsLength + 2 + 1 + varintLength(commands.length) + commands.length;
      const out = layer.features;
      writeVarint(out, 0x12);
      writeVarint(out, length);
      if (hasId) {
        writeVarint(out, 0x08);
        writeVarint(out, id);
      }
      if (tags.length > 0) {
        writeVarint(out, 0x12);
        writeVarint(out, tags.length);
        writeBytes(out, tags.bytes, 0, tags.length);
      }
      writeVarint(out, 0x18);
      writeVarint(out, type);
      writeVarint(out, 0x22);
      writeVarint(out, commands.length);
      writeBytes(out, commands.bytes, 0, commands.length);
      return 'added';
    },
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

function fieldOf(out: ByteWriter, tag: number): ByteWriter {
  writeVarint(out, tag);
  return out;
}

function writeLayer(tile: ByteWriter, layer: Layer, name: Uint8Array, extent: number): void {
  const { features, keys, values } = layer;
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

function createLayer({ keyCount, valueCount }: AttributeDictionary): Layer {
  return {
    features: createByteWriter(1 << 16),
    keys: createByteWriter(1 << 10),
    values: createByteWriter(1 << 14),
    keyTile: new Int32Array(keyCount),
    keyPlace: new Int32Array(keyCount),
    valueTile: new Int32Array(valueCount),
    valuePlace: new Int32Array(valueCount),
    loose: new Map(),
    keyCount: 0,
    valueCount: 0,
  };
}

function clear(layer: Layer): void {
  layer.features.length = 0;
  layer.keys.length = 0;
  layer.values.length = 0;
  layer.loose.clear();
  layer.keyCount = 0;
  layer.valueCount = 0;
}
