import { inflateSync } from 'node:zlib';
import { createPicture, type Picture } from '@platen/geo/canvas/picture';

const indexedColour = 3;
const maxSide = 4096;

/**
 * Reads a PNG with a palette, ignoring its transparency.
 * @throws RangeError for any other PNG, an interlaced one, and other files
 */
export function readIndexedPng(png: Uint8Array): Picture {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const { header, palette, data } = chunksOf(bytes);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colourType, , , interlace] = header.subarray(8);
  if (colourType !== indexedColour || interlace !== 0)
    throw new RangeError('it has no palette, or is interlaced');
  if (![1, 2, 4, 8].includes(depth!)) throw new RangeError(`a palette cannot have ${depth} bits`);
  if (width < 1 || height < 1 || width > maxSide || height > maxSide) throw new RangeError('it is too large');
  const rowBytes = Math.ceil((width * depth!) / 8);
  const length = height * (rowBytes + 1);
  const rows = inflateSync(data, { maxOutputLength: length });
  if (rows.length !== length) throw new RangeError('it is cut off');
  for (let y = 0; y < height; y++) undoFilter(rows, y * (rowBytes + 1), rowBytes);
  return unpack(rows, palette, { width, height, depth: depth!, rowBytes });
}

function chunksOf(bytes: Buffer): { header: Buffer; palette: Uint8Array; data: Buffer } {
  const found = new Map<string, Buffer[]>();
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    found.set(type, [...(found.get(type) ?? []), bytes.subarray(at + 8, end)]);
    at = end + 4;
  }
  const header = found.get('IHDR')?.[0];
  const palette = found.get('PLTE')?.[0];
  if (header?.length !== 13 || !palette) throw new RangeError('it is not a PNG with a palette');
  return { header, palette, data: Buffer.concat(found.get('IDAT') ?? []) };
}

/** PNG 3, 9.2, for samples of at most a byte: the previous sample is in the previous byte. Done in place. */
function undoFilter(rows: Buffer, start: number, rowBytes: number): void {
  const filter = rows[start]!;
  const above = start - rowBytes - 1;
  for (let i = 1; i <= rowBytes; i++) {
    const a = i === 1 ? 0 : rows[start + i - 1]!;
    const b = above < 0 ? 0 : rows[above + i]!;
    const c = i === 1 || above < 0 ? 0 : rows[above + i - 1]!;
    rows[start + i] = rows[start + i]! + predicted(filter, a, b, c);
  }
}

function predicted(filter: number, a: number, b: number, c: number): number {
  if (filter === 1) return a;
  if (filter === 2) return b;
  if (filter === 3) return Math.floor((a + b) / 2);
  if (filter !== 4) return 0;
  const [toA, toB, toC] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  if (toA <= toB && toA <= toC) return a;
  return toB <= toC ? b : c;
}

interface RowLayout {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly rowBytes: number;
}

function unpack(rows: Buffer, palette: Uint8Array, { width, height, depth, rowBytes }: RowLayout): Picture {
  const picture = createPicture(width, height);
  const { rgba } = picture;
  const mask = 2 ** depth - 1;
  for (let y = 0; y < height; y++) {
    const start = y * (rowBytes + 1) + 1;
    for (let x = 0, at = y * width * 4; x < width; x++, at += 4) {
      const bit = x * depth;
      const colour = ((rows[start + (bit >> 3)]! >> (8 - depth - (bit & 7))) & mask) * 3;
      rgba[at] = palette[colour]!;
      rgba[at + 1] = palette[colour + 1]!;
      rgba[at + 2] = palette[colour + 2]!;
      rgba[at + 3] = 255;
    }
  }
  return picture;
}
