import type { Matrix } from '@platen/geo/geodesy/matrix';
import type { Attributes } from '../city-object/city-object.ts';
import { asIndex, asNumbers, asObject, type JsonObject } from '../json/read-values.ts';
import { parseAt } from '../json/scan-members.ts';
import { SourceError } from '../source/source.ts';
import { readBatchTable } from './read-batch-table.ts';
import { readInstances } from './read-instances.ts';

/** A place of the model of an i3dm. */
export interface TileInstance {
  /** In the axes of the tile, z upwards. */
  readonly matrix: Matrix;
  /** The number of its feature. */
  readonly feature: number;
}

/** One model of a content: a tile has one, a composite several. */
export interface TilePart {
  /** The glTF itself, or where it is. */
  readonly gltf: Uint8Array | string;
  /** Added to positions once z is upwards. */
  readonly center: readonly number[] | undefined;
  /** Undefined of a glTF, which has its attributes itself. */
  readonly rows: readonly Attributes[] | undefined;
  /** Undefined: the model is shown once. */
  readonly instances: readonly TileInstance[] | undefined;
}

export interface SplitContent {
  readonly parts: readonly TilePart[];
  /** Contents of kinds that have no triangles: `pnts`. */
  readonly others: readonly string[];
}

const deepest = 8;
const b3dmBytes = 28;
const i3dmBytes = 32;
const cmptBytes = 16;

/** Divides a content, unpacked, into its models (3D Tiles 1.0, clause 10; 1.1: glTF). @throws SourceError */
export function splitContent(bytes: Uint8Array): SplitContent {
  const parts: TilePart[] = [];
  const others: string[] = [];
  const visit = (tile: Uint8Array, depth: number): void => {
    const magic = Buffer.from(tile.subarray(0, 4)).toString('latin1');
    if (magic === 'glTF' || looksLikeJson(tile))
      parts.push({ gltf: tile, center: undefined, rows: undefined, instances: undefined });
    else if (magic === 'b3dm') parts.push(readB3dm(tile));
    else if (magic === 'i3dm') parts.push(readI3dm(tile));
    else if (magic === 'cmpt') {
      if (depth === deepest) throw broken(`its composites are nested deeper than ${deepest} levels`);
      for (const inner of innerTiles(tile)) visit(inner, depth + 1);
    } else if (/^(?:pnts|vctr|geom|vpat)$/.test(magic)) others.push(magic);
    else throw broken('it is no tile of 3D Tiles');
  };
  visit(bytes, 0);
  return { parts, others };
}

const broken = (reason: string): SourceError => new SourceError('brokenFile', reason);

function looksLikeJson(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte > 32 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf);
  return first === 123;
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function* innerTiles(tile: Uint8Array): Generator<Uint8Array, void> {
  if (tile.length < cmptBytes) throw broken('it is cut off');
  const view = viewOf(tile);
  const end = Math.min(view.getUint32(8, true), tile.length);
  let at = cmptBytes;
  for (let left = view.getUint32(12, true); left > 0; left--) {
    if (at + 12 > end) throw broken('a tile of its composite is cut off');
    const length = view.getUint32(at + 8, true);
    if (length < 12 || at + length > end) throw broken('a tile of its composite passes its end');
    yield tile.subarray(at, at + length);
    at += length;
  }
}

interface Tables {
  readonly features: JsonObject;
  readonly featureBinary: Uint8Array;
  readonly batch: JsonObject;
  readonly batchBinary: Uint8Array;
  /** What follows them. */
  readonly rest: Uint8Array;
}

function readTables(tile: Uint8Array, headerBytes: number): Tables {
  if (tile.length < headerBytes) throw broken('it is cut off');
  const view = viewOf(tile);
  const end = view.getUint32(8, true);
  if (end > tile.length) throw broken(`it has ${tile.length} of ${end} bytes: it is cut off`);
  let at = headerBytes;
  const [features, featureBinary, batch, batchBinary] = [12, 16, 20, 24].map((field) => {
    const start = at;
    at += view.getUint32(field, true);
    if (at > end) throw broken('its tables pass its end');
    return tile.subarray(start, at);
  }) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const jsonOf = (text: Uint8Array): JsonObject => {
    if (text.length === 0) return {};
    const json = asObject(parseAt(text, 0, text.length));
    if (json === undefined) throw broken('the JSON of a table is damaged');
    return json;
  };
  return {
    features: jsonOf(features),
    featureBinary,
    batch: jsonOf(batch),
    batchBinary,
    rest: tile.subarray(at, end),
  };
}

/** Values of feature tables may be in their binary part. */
function numbersOf(
  { features, featureBinary }: Tables,
  name: string,
  count: number,
): readonly number[] | undefined {
  const own = asNumbers(features[name], count);
  if (own !== undefined) return own;
  const start = asIndex(asObject(features[name])?.['byteOffset']);
  if (start === undefined || start + count * 4 > featureBinary.length) return undefined;
  const view = viewOf(featureBinary);
  return Array.from({ length: count }, (_, i) => view.getFloat32(start + i * 4, true));
}

function lengthOf({ features, featureBinary }: Tables, name: string): number {
  const own = asIndex(features[name]);
  if (own !== undefined) return own;
  const start = asIndex(asObject(features[name])?.['byteOffset']);
  if (start === undefined || start + 4 > featureBinary.length) return 0;
  return viewOf(featureBinary).getUint32(start, true);
}

function readB3dm(tile: Uint8Array): TilePart {
  // drafts had shorter headers, whose lengths read as JSON or glTF here
  if (tile.length >= 24 && /^(?:glTF|\{")/.test(Buffer.from(tile.subarray(20, 24)).toString('latin1')))
    throw new SourceError('unsupported', 'it is a b3dm of a draft before 3D Tiles 1.0: convert it to 1.0');
  const tables = readTables(tile, b3dmBytes);
  const count = lengthOf(tables, 'BATCH_LENGTH');
  return {
    gltf: tables.rest,
    center: numbersOf(tables, 'RTC_CENTER', 3),
    rows: readBatchTable(tables.batch, tables.batchBinary, boundedCount(count, tile)),
    instances: undefined,
  };
}

/** Each feature takes at least a vertex or an instance: more than bytes are a lie. */
function boundedCount(count: number, tile: Uint8Array): number {
  if (count > tile.length) throw broken(`it claims ${count} features in ${tile.length} bytes`);
  return count;
}

function readI3dm(tile: Uint8Array): TilePart {
  const tables = readTables(tile, i3dmBytes);
  const count = boundedCount(lengthOf(tables, 'INSTANCES_LENGTH'), tile);
  const isEmbedded = viewOf(tile).getUint32(28, true) === 1;
  const instances = readInstances(tables.features, tables.featureBinary, {
    count,
    center: numbersOf(tables, 'RTC_CENTER', 3),
  });
  if (instances === undefined) throw broken('positions or rotations of its instances are not there');
  const features = instances.reduce((max, { feature }) => Math.max(max, feature + 1), 0);
  return {
    gltf: isEmbedded ? tables.rest : Buffer.from(tables.rest).toString('utf8').split('\0', 1)[0]!.trim(),
    center: undefined,
    // as many as the numbers of instances tell apart, which may leave some out
    rows: readBatchTable(tables.batch, tables.batchBinary, Math.min(features, tile.length)),
    instances,
  };
}
