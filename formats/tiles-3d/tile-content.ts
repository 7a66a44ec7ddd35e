import type { Bytes } from '../bytes/bytes.ts';
import { asIndex, asNumbers, asObject, type JsonObject } from '../json/read-values.ts';
import { parseAt } from '../json/scan-members.ts';

export type TileContentType =
  | 'b3dm'
  | 'i3dm'
  | 'pnts'
  | 'cmpt'
  | 'vctr'
  | 'geom'
  | 'glb'
  | 'gltf'
  | 'subtree'
  | 'json'
  | 'other';

/** The header of a content (3D Tiles 1.0, clause 10). */
export interface TileContent {
  readonly type: TileContentType;
  /** Batches of b3dm, instances of i3dm, points of pnts, inner tiles of cmpt. */
  readonly count: number | undefined;
  /** Offset of the glTF. */
  readonly gltfOffset: number | undefined;
  /** Offset to add to the positions. */
  readonly center: readonly number[] | undefined;
  /** Attributes of its batches: arrays, or places in a binary part. */
  readonly batchTable: JsonObject | undefined;
  /** The problem, as a phrase to follow a colon. */
  readonly fault: string | undefined;
}

const magics = new Set(['b3dm', 'i3dm', 'pnts', 'cmpt', 'vctr', 'geom', 'glTF', 'subt']);
const maxTableBytes = 16 << 20;
const headerBytes: Readonly<Record<string, number>> = { b3dm: 28, i3dm: 32, pnts: 28 };
const counts: Readonly<Record<string, string>> = {
  b3dm: 'BATCH_LENGTH',
  i3dm: 'INSTANCES_LENGTH',
  pnts: 'POINTS_LENGTH',
};

/** Reads the header of a content that is not gzipped. Damage is reported in `fault`. */
export async function readTileContent(bytes: Bytes): Promise<TileContent> {
  const head = await bytes.read(0, 64);
  const magic = Buffer.from(head.subarray(0, 4)).toString('latin1');
  const nothing = {
    count: undefined,
    gltfOffset: undefined,
    center: undefined,
    batchTable: undefined,
    fault: undefined,
  };
  if (!magics.has(magic)) {
    const text = Buffer.from(head).toString('utf8').trimStart();
    if (text.startsWith('{')) return { ...nothing, type: 'json' };
    return { ...nothing, type: 'other', fault: head.length === 0 ? 'it is empty' : undefined };
  }
  if (magic === 'glTF') return { ...nothing, type: 'glb', gltfOffset: 0 };
  if (magic === 'subt') return { ...nothing, type: 'subtree' };
  const type = magic as TileContentType;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < 16) return { ...nothing, type, fault: 'it is cut off' };
  const said = view.getUint32(8, true);
  const fault = said > bytes.size ? `it has ${bytes.size} of ${said} bytes: it is cut off` : undefined;
  if (type === 'cmpt') return { ...nothing, type, count: view.getUint32(12, true), fault };
  const own = headerBytes[type];
  if (own === undefined || head.length < own) return { ...nothing, type, fault };
  return { type, fault, ...(await readTables(bytes, view, { type, own })) };
}

async function readTables(
  bytes: Bytes,
  view: DataView,
  { type, own }: { type: TileContentType; own: number },
): Promise<Pick<TileContent, 'count' | 'gltfOffset' | 'center' | 'batchTable'>> {
  const tables = [12, 16, 20, 24].map((at) => view.getUint32(at, true));
  const [featureJson = 0, featureBinary = 0, batchJson = 0] = tables;
  const end = tables.reduce((sum, length) => sum + length, own);
  const isGltf = type === 'b3dm' || (type === 'i3dm' && view.getUint32(28, true) === 1);
  const features = await readTable(bytes, own, featureJson);
  return {
    count: asIndex(features?.[counts[type]!]),
    gltfOffset: isGltf && end < bytes.size ? end : undefined,
    center: asNumbers(features?.['RTC_CENTER'], 3),
    batchTable: await readTable(bytes, own + featureJson + featureBinary, batchJson),
  };
}

async function readTable(bytes: Bytes, offset: number, length: number): Promise<JsonObject | undefined> {
  if (length === 0 || length > maxTableBytes || offset + length > bytes.size) return undefined;
  const text = await bytes.read(offset, length);
  return asObject(parseAt(text, 0, text.length));
}
