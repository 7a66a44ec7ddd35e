import { BytesError, type Bytes } from '../bytes/bytes.ts';
import { readExactly, viewOf } from '../bytes/read-exactly.ts';

/** What the main header of a codestream says (ISO 15444-1, A.5), and where its tiles are. */
export interface Codestream {
  readonly width: number;
  readonly height: number;
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly columns: number;
  readonly rows: number;
  readonly components: readonly Component[];
  /** SIZ, as it is. */
  readonly size: Uint8Array;
  /** The markers after SIZ that hold for all tiles. */
  readonly markers: Uint8Array;
  /** The parts of each tile. */
  readonly tiles: readonly (readonly TilePart[])[];
}

export interface Component {
  readonly bits: number;
  readonly isSigned: boolean;
}

/** A part of a tile, with its marker SOT. */
export interface TilePart {
  readonly start: number;
  readonly end: number;
}

export const marker = {
  siz: 0xff51,
  tlm: 0xff55,
  plm: 0xff57,
  ppm: 0xff60,
  sot: 0xff90,
  eoc: 0xffd9,
} as const;
const maxHeaderBytes = 1 << 20;
const maxComponents = 100;
const maxSide = 2 ** 30;
const maxParts = 200_000;
/** So many pixels to a byte are no picture, but an attack. */
const maxPixelsPerByte = 20_000;

/** @param range of the codestream in the file. @throws BytesError */
export async function readCodestream(
  bytes: Bytes,
  range: { readonly start: number; readonly end: number },
): Promise<Codestream> {
  const head = viewOf(await readExactly(bytes, range.start, 6));
  if (head.getUint16(2) !== marker.siz) throw new BytesError('its first marker is damaged');
  const size = await readExactly(bytes, range.start + 4, head.getUint16(4));
  const siz = readSize(size);
  const { width, height } = siz;
  if (width * height > bytes.size * maxPixelsPerByte)
    throw new BytesError(`it declares ${width} × ${height} pixels, more than its bytes can hold`);
  let at = range.start + 4 + size.length;
  const markers: Uint8Array[] = [];
  for (let length = 0; length < maxHeaderBytes;) {
    const next = viewOf(await readExactly(bytes, at, 4));
    const name = next.getUint16(0);
    if (name === marker.sot) break;
    if (name === marker.ppm) throw new BytesError('its packet headers stand apart, which is not read here');
    if (name >>> 8 !== 0xff) throw new BytesError('its main header is damaged');
    const whole = next.getUint16(2) + 2;
    // lengths of parts would be wrong for a single tile
    if (name !== marker.tlm && name !== marker.plm) markers.push(await readExactly(bytes, at, whole));
    length += whole;
    at += whole;
  }
  const tiles = await readParts(bytes, { start: at, end: range.end }, siz.columns * siz.rows);
  return { ...siz, size, markers: Buffer.concat(markers), tiles };
}

type Size = Omit<Codestream, 'size' | 'markers' | 'tiles'>;

function readSize(size: Uint8Array): Size {
  if (size.length < 39) throw new BytesError('its size is damaged');
  const view = viewOf(size);
  const long = (at: number): number => view.getUint32(at);
  const [right, bottom, left, top] = [long(4), long(8), long(12), long(16)];
  const [tileWidth, tileHeight, tileLeft, tileTop] = [long(20), long(24), long(28), long(32)];
  const count = view.getUint16(36);
  const [width, height] = [right - left, bottom - top];
  if (!(width >= 1 && height >= 1 && tileWidth >= 1 && tileHeight >= 1) || Math.max(right, bottom) > maxSide)
    throw new BytesError('its size is damaged');
  if (count < 1 || count > maxComponents || size.length < 38 + count * 3)
    throw new BytesError('its components are damaged');
  if (left !== tileLeft || top !== tileTop)
    throw new BytesError('its tiles begin outside of the image, which is not read here');
  const components = Array.from({ length: count }, (_, i) => {
    const [depth, across, down] = size.subarray(38 + i * 3);
    if (across !== 1 || down !== 1)
      throw new BytesError('its components have different resolutions, which is not read here');
    return { bits: (depth! & 0x7f) + 1, isSigned: depth! >> 7 === 1 };
  });
  const [columns, rows] = [Math.ceil(width / tileWidth), Math.ceil(height / tileHeight)];
  if (columns * rows > 65_535) throw new BytesError('it has too many tiles');
  return { width, height, tileWidth, tileHeight, columns, rows, components };
}

async function readParts(
  bytes: Bytes,
  { start, end }: TilePart,
  count: number,
): Promise<readonly TilePart[][]> {
  const tiles: TilePart[][] = Array.from({ length: count }, () => []);
  for (let at = start, i = 0; i < maxParts; i++) {
    const head = await bytes.read(at, 12);
    if (head.length < 2) break;
    const view = viewOf(head);
    if (view.getUint16(0) === marker.eoc) return tiles;
    if (head.length < 12 || view.getUint16(0) !== marker.sot) throw new BytesError('its tiles are damaged');
    const number = view.getUint16(4);
    const length = view.getUint32(6);
    // 0: the last one, up to the end
    const next = length === 0 ? end - 2 : at + length;
    if (number >= count || next <= at + 12) throw new BytesError('its tiles are damaged');
    if (next > end) break;
    tiles[number]!.push({ start: at, end: next });
    at = next;
  }
  throw new BytesError('it is cut off');
}
