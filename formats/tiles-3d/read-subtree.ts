import { asArray, asIndex, asObject, asObjects, asText, type JsonObject } from '../json/read-values.ts';
import { parseAt } from '../json/scan-members.ts';
import { SourceError } from '../source/source.ts';

/** What exists of a subtree of implicit tiles: by the number of a tile, or of a subtree below, in Morton order. */
export interface Subtree {
  readonly hasTile: (tile: number) => boolean;
  /** Of each content of a tile. */
  readonly hasContent: readonly ((tile: number) => boolean)[];
  readonly hasChild: (subtree: number) => boolean;
}

/** @returns a buffer beside the subtree */
export type FindSubtreeBuffer = (uri: string) => Promise<Uint8Array | undefined>;

const headerBytes = 24;

/** Reads a subtree (OGC 22-025r4, 8): its binary form, or JSON with buffers beside it. @throws SourceError */
export async function readSubtree(bytes: Uint8Array, find: FindSubtreeBuffer): Promise<Subtree> {
  const isBinary = Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'subt';
  const { text, binary } = isBinary ? chunksOf(bytes) : { text: bytes, binary: undefined };
  const json = asObject(parseAt(text, 0, text.length));
  if (json === undefined) throw new SourceError('brokenFile', 'the JSON of the subtree is damaged');
  const buffers = await Promise.all(
    asObjects(json['buffers']).map(async (buffer) => {
      const uri = asText(buffer?.['uri']);
      return uri === undefined ? binary : find(uri);
    }),
  );
  const views = asObjects(json['bufferViews']).map((view) => {
    const buffer = buffers[asIndex(view?.['buffer']) ?? -1];
    const start = asIndex(view?.['byteOffset']) ?? 0;
    return buffer?.subarray(start, start + (asIndex(view?.['byteLength']) ?? 0));
  });
  const availability = (value: unknown): ((index: number) => boolean) =>
    availabilityOf(asObject(value), views);
  const contents = asArray(json['contentAvailability']) ?? [json['contentAvailability']];
  const extension = asObject(asObject(json['extensions'])?.['3DTILES_multiple_contents']);
  const several = asArray(extension?.['contentAvailability']);
  return {
    hasTile: availability(json['tileAvailability']),
    hasContent: (several ?? contents).map(availability),
    hasChild: availability(json['childSubtreeAvailability']),
  };
}

function chunksOf(bytes: Uint8Array): { readonly text: Uint8Array; readonly binary: Uint8Array } {
  const broken = (): SourceError => new SourceError('brokenFile', 'the subtree is cut off');
  if (bytes.length < headerBytes) throw broken();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = headerBytes + Number(view.getBigUint64(8, true));
  const binaryEnd = end + Number(view.getBigUint64(16, true));
  if (!(binaryEnd <= bytes.length)) throw broken();
  return { text: bytes.subarray(headerBytes, end), binary: bytes.subarray(end, binaryEnd) };
}

function availabilityOf(
  value: JsonObject | undefined,
  views: readonly (Uint8Array | undefined)[],
): (index: number) => boolean {
  const constant = value?.['constant'];
  if (constant === 1 || constant === true) return () => true;
  const bits = views[asIndex(value?.['bitstream']) ?? asIndex(value?.['bufferView']) ?? -1];
  return (index) => ((bits?.[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
}
