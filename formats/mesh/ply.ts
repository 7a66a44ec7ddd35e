import { BytesError, type Bytes } from '../bytes/bytes.ts';
import { emptyExtent, growExtent, type Extent } from './extent.ts';

export interface PlyHeader {
  readonly encoding: 'ascii' | 'binary_little_endian' | 'binary_big_endian';
  readonly version: string;
  readonly elements: readonly PlyElement[];
  /** Length of the header in bytes; the data begins there. */
  readonly bytes: number;
}

export interface PlyElement {
  readonly name: string;
  readonly count: number;
  readonly properties: readonly {
    readonly name: string;
    /** Of a list: that of its values. */
    readonly type: string;
    readonly isList: boolean;
    /** The type of the length of a list. */
    readonly countType: string;
  }[];
}

const maxHeaderBytes = 1 << 16;
const sizes: Readonly<Record<string, number>> = {
  char: 1, int8: 1, uchar: 1, uint8: 1,
  short: 2, int16: 2, ushort: 2, uint16: 2,
  int: 4, int32: 4, uint: 4, uint32: 4, float: 4, float32: 4,
  double: 8, float64: 8,
}; // prettier-ignore

/** The header of a PLY (Turk 1994). @throws BytesError */
export function readPlyHeader(head: Uint8Array): PlyHeader {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, maxHeaderBytes)).toString(
    'latin1',
  );
  const end = /(?:^|\n)end_header\r?\n/.exec(text);
  if (end === null) throw new BytesError('its header has no end: it is cut off or damaged');
  const lines = text.slice(0, end.index).split(/\r?\n/);
  const [, encoding, version] =
    /^format\s+(ascii|binary_little_endian|binary_big_endian)\s+(\S+)/.exec(
      lines.find((line) => line.startsWith('format')) ?? '',
    ) ?? [];
  if (encoding === undefined) throw new BytesError('its header does not name its encoding');
  const elements: { name: string; count: number; properties: PlyElement['properties'][number][] }[] = [];
  for (const line of lines) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === 'element') {
      const count = Number(rest[1]);
      if (!Number.isSafeInteger(count) || count < 0)
        throw new BytesError(`its header has an element "${rest[0]?.slice(0, 50)}" without a count`);
      elements.push({ name: rest[0]!, count, properties: [] });
    } else if (word === 'property') {
      const isList = rest[0] === 'list';
      const [name, type] = [rest.at(-1), rest[isList ? 2 : 0]];
      if (name === undefined || type === undefined)
        throw new BytesError('its header has a property without a type or a name');
      elements.at(-1)?.properties.push({ name, type, isList, countType: rest[1] ?? '' });
    }
  }
  const bytes = end.index + end[0].length;
  return { encoding: encoding as PlyHeader['encoding'], version: version!, elements, bytes };
}

/** Bytes per element; undefined if lists make that vary. */
export function strideOf({ properties }: PlyElement): number | undefined {
  let stride = 0;
  for (const { type, isList } of properties) {
    const size = sizes[type];
    if (isList || size === undefined) return undefined;
    stride += size;
  }
  return stride;
}

const samples = 8;
const sampleBytes = 1 << 20;

/** Samples vertices across a binary file. @returns whether all were read */
export async function samplePly(
  bytes: Bytes,
  { encoding, elements, bytes: start }: PlyHeader,
): Promise<{ extent: Extent; isWhole: boolean }> {
  const extent = emptyExtent();
  const [vertex] = elements;
  const stride = vertex && strideOf(vertex);
  if (vertex?.name !== 'vertex' || stride === undefined || stride === 0 || encoding === 'ascii')
    return { extent, isWhole: false };
  const places = ['x', 'y', 'z'].flatMap((name) => placeOf(vertex, name) ?? []);
  if (places.length < 3) return { extent, isWhole: false };
  const isLittle = encoding === 'binary_little_endian';
  const each = Math.max(1, Math.floor(sampleBytes / stride));
  const isWhole = vertex.count <= each * samples;
  const step = isWhole ? each : Math.floor(vertex.count / samples);
  for (let first = 0; first < vertex.count; first += step) {
    const count = Math.min(each, vertex.count - first);
    const chunk = await bytes.read(start + first * stride, count * stride);
    const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let at = 0; at + stride <= chunk.length; at += stride) {
      const [x, y, z] = places.map(({ offset, size }) =>
        size === 8 ? view.getFloat64(at + offset, isLittle) : view.getFloat32(at + offset, isLittle),
      );
      growExtent(extent, x!, y!, z!);
    }
    if (chunk.length < count * stride) break;
  }
  return { extent, isWhole };
}

function placeOf(
  { properties }: PlyElement,
  elementName: string,
): { readonly offset: number; readonly size: number } | undefined {
  let offset = 0;
  for (const { name, type } of properties) {
    const size = sizes[type]!;
    if (name === elementName)
      return /^(?:float|double|float32|float64)$/.test(type) ? { offset, size } : undefined;
    offset += size;
  }
  return undefined;
}
