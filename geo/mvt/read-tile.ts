import type { ShapeType } from '../shape/shape.ts';
import type { AttributeValue } from './attributes.ts';
import { readValue } from './read-value.ts';

/** The bytes are not a Mapbox Vector Tile. */
export class TileError extends Error {
  override readonly name = 'TileError';
}

/** Geometry of one feature, in tile units, y downwards; overwritten by the next. */
export interface TileGeometry {
  /** 1 points, 2 lines, 3 polygons. */
  type: ShapeType;
  /** x, y of each position. */
  coordinates: Int32Array;
  positionCount: number;
  /** End of each line or ring, in positions; rings do not repeat their first position. Points are one line. */
  readonly partEnds: number[];
}

export interface TileLayer {
  readonly name: string;
  /** Units along an edge of the tile. */
  readonly extent: number;
  /** The geometry is valid during the call. Features of unknown type are skipped. @throws TileError */
  visitGeometries(visit: (geometry: TileGeometry) => void): void;
}

/** Attributes of a feature; of several with the same name, the last one counts. */
export type TileAttributes = ReadonlyMap<string, AttributeValue>;

/** A layer of a tile that was read, with the attributes of its features. */
export interface AttributedLayer extends TileLayer {
  /** The geometry is valid during the call; attributes are read when asked for. @throws TileError */
  readonly visitFeatures: (visit: (geometry: TileGeometry, attributes: () => TileAttributes) => void) => void;
}

interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
  readonly end: number;
}

/** Wire types of protobuf. */
const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Reads an uncompressed Mapbox Vector Tile 2.1, without ids. @throws TileError */
export function readTile(bytes: Uint8Array): AttributedLayer[] {
  const layers: AttributedLayer[] = [];
  visitFields({ bytes, at: 0, end: bytes.length }, (field, value) => {
    if (field === 3 && typeof value === 'object') layers.push(readLayer(value));
  });
  return layers;
}

function readLayer(cursor: Cursor): AttributedLayer {
  let name = '';
  let extent = 4096;
  const features: Cursor[] = [];
  const keys: Cursor[] = [];
  const values: Cursor[] = [];
  visitFields(cursor, (field, value) => {
    if (field === 1 && typeof value === 'object') name = textOf(value);
    else if (field === 2 && typeof value === 'object') features.push(value);
    else if (field === 3 && typeof value === 'object') keys.push(value);
    else if (field === 4 && typeof value === 'object') values.push(value);
    else if (field === 5 && typeof value === 'number') extent = value;
  });
  if (extent < 1) throw new TileError('a layer has an extent of 0');
  const table = attributeTable(keys, values);
  const visitFeatures: AttributedLayer['visitFeatures'] = (visit) => {
    const geometry: TileGeometry = {
      type: 1,
      coordinates: new Int32Array(512),
      positionCount: 0,
      partEnds: [],
    };
    for (const { at, end } of features) {
      const found = readFeature({ bytes: cursor.bytes, at, end }, geometry);
      if (found) visit(geometry, () => table(found.tags));
    }
  };
  return { name, extent, visitFeatures, visitGeometries: visitFeatures };
}

/** Reads the attributes of features by their tags. Keys and values that many features share are decoded once. */
function attributeTable(keys: readonly Cursor[], values: readonly Cursor[]) {
  const names = new Map<number, string>();
  const decoded = new Map<number, AttributeValue | undefined>();
  const nameAt = (index: number): string => {
    const known = names.get(index);
    if (known !== undefined) return known;
    const name = textOf(keys[index]!);
    names.set(index, name);
    return name;
  };
  const valueAt = (index: number): AttributeValue | undefined => {
    if (!decoded.has(index)) {
      const { bytes, at, end } = values[index]!;
      decoded.set(index, readValue(bytes.subarray(at, end)));
    }
    return decoded.get(index);
  };
  return (tags: Cursor | undefined): TileAttributes => {
    const attributes = new Map<string, AttributeValue>();
    if (tags === undefined) return attributes;
    const cursor = { ...tags };
    while (cursor.at < cursor.end) {
      const key = readVarint(cursor);
      const index = readVarint(cursor);
      if (key >= keys.length || index >= values.length)
        throw new TileError('a feature has an attribute that its layer does not have');
      const value = valueAt(index);
      if (value !== undefined) attributes.set(nameAt(key), value);
    }
    return attributes;
  };
}

/** @returns undefined if it has no type or no geometry */
function readFeature(cursor: Cursor, geometry: TileGeometry): { tags: Cursor | undefined } | undefined {
  let type = 0;
  let commands: Cursor | undefined;
  let tags: Cursor | undefined;
  visitFields(cursor, (field, value) => {
    if (field === 2 && typeof value === 'object') tags = value;
    else if (field === 3 && typeof value === 'number') type = value;
    else if (field === 4 && typeof value === 'object') commands = value;
  });
  if (type < 1 || type > 3 || commands === undefined) return undefined;
  geometry.type = type as ShapeType;
  readGeometry(commands, geometry);
  return geometry.positionCount > 0 ? { tags } : undefined;
}

/** MVT 2.1, 4.3 "Geometry Encoding". */
function readGeometry(cursor: Cursor, geometry: TileGeometry): void {
  geometry.positionCount = 0;
  geometry.partEnds.length = 0;
  const endPart = (): void => {
    const before = geometry.partEnds.at(-1) ?? 0;
    if (geometry.positionCount > before) geometry.partEnds.push(geometry.positionCount);
  };
  let x = 0;
  let y = 0;
  while (cursor.at < cursor.end) {
    const command = readVarint(cursor);
    const kind = command & 7;
    if (kind === 7) continue;
    if (kind !== 1 && kind !== 2) throw new TileError(`a geometry has the unknown command ${kind}`);
    // Each position takes at least two bytes, so a forged count ends with the bytes.
    for (let left = command >>> 3; left > 0; left--) {
      if (kind === 1 && geometry.type !== 1) endPart();
      x = (x + readZigzag(cursor)) | 0;
      y = (y + readZigzag(cursor)) | 0;
      push(geometry, x, y);
    }
  }
  endPart();
}

function push(geometry: TileGeometry, x: number, y: number): void {
  const at = geometry.positionCount * 2;
  if (at === geometry.coordinates.length) {
    const larger = new Int32Array(at * 2);
    larger.set(geometry.coordinates);
    geometry.coordinates = larger;
  }
  geometry.coordinates[at] = x;
  geometry.coordinates[at + 1] = y;
  geometry.positionCount++;
}

/** Visits every field of a message: integers as numbers, others as byte ranges. */
function visitFields(cursor: Cursor, visit: (field: number, value: number | Cursor) => void): void {
  const { bytes, end } = cursor;
  while (cursor.at < end) {
    const key = readVarint(cursor);
    const type = key & 7;
    if (type === wire.varint) {
      visit(key >>> 3, readVarint(cursor));
      continue;
    }
    const length =
      type === wire.bytes
        ? readVarint(cursor)
        : type === wire.fixed64
          ? 8
          : type === wire.fixed32
            ? 4
            : undefined;
    if (length === undefined) throw new TileError(`there is a field of the unknown wire type ${type}`);
    if (length > end - cursor.at) throw new TileError('a field is longer than the bytes that there are');
    const start = cursor.at;
    cursor.at += length;
    visit(key >>> 3, { bytes, at: start, end: cursor.at });
  }
}

/** An unsigned integer; only the lower 32 bits of larger ones, which occur in ids only. */
function readVarint(cursor: Cursor): number {
  const { bytes, end } = cursor;
  let value = 0;
  for (let shift = 0; shift < 70; shift += 7) {
    if (cursor.at >= end) throw new TileError('it is cut off');
    const byte = bytes[cursor.at++]!;
    if (shift < 32) value |= (byte & 127) << shift;
    if (byte < 128) return value >>> 0;
  }
  throw new TileError('an integer has more than ten bytes');
}

function readZigzag(cursor: Cursor): number {
  const value = readVarint(cursor);
  return (value >>> 1) ^ -(value & 1);
}

function textOf({ bytes, at, end }: Cursor): string {
  return new TextDecoder().decode(bytes.subarray(at, end));
}
