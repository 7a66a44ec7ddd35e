import { promisify } from 'node:util';
import { crc32, deflate, deflateSync } from 'node:zlib';

const deflateAsync = promisify(deflate);

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const trueColour = 2;
const trueColourWithAlpha = 6;
/** PNG 3, 9.2: each byte is stored as its difference to the one above. */
const filterUp = 2;

/**
 * Encodes an image as PNG (third edition). Opaque images are stored without alpha.
 * @param rgba red, green, blue, alpha of each pixel, row by row from the top; not premultiplied
 */
export function writePng(rgba: Uint8Array | Uint8ClampedArray, width: number, height: number): Uint8Array {
  const { header, rows } = layOut(rgba, width, height);
  return png(header, deflateSync(rows)); // level 9 takes ten times as long and saves nothing on drawn pictures
}

/** The same, packed by another thread, where others wait for this one. */
export async function writePngAsync(
  rgba: Uint8Array | Uint8ClampedArray,
  width: number,
  height: number,
): Promise<Uint8Array> {
  const { header, rows } = layOut(rgba, width, height);
  return png(header, await deflateAsync(rows));
}

function layOut(rgba: Uint8Array | Uint8ClampedArray, width: number, height: number) {
  if (rgba.length !== width * height * 4 || rgba.length === 0)
    throw new RangeError('the pixels do not fill the image');
  const channels = isOpaque(rgba) ? 3 : 4;
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, 8); // bits per channel
  header.setUint8(9, channels === 3 ? trueColour : trueColourWithAlpha);
  return { header: new Uint8Array(header.buffer), rows: filterRows(rgba, { width, height, channels }) };
}

const png = (header: Uint8Array, packed: Uint8Array): Uint8Array =>
  Buffer.concat([
    Uint8Array.from(signature),
    chunk('IHDR', header),
    chunk('IDAT', packed),
    chunk('IEND', new Uint8Array(0)),
  ]);

function isOpaque(rgba: Uint8Array | Uint8ClampedArray): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 255) return false;
  return true;
}

interface Layout {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

function filterRows(
  rgba: Uint8Array | Uint8ClampedArray,
  { width, height, channels }: Layout,
): Uint8Array<ArrayBuffer> {
  const rows = new Uint8Array(height * (1 + width * channels));
  let above: Uint8Array | Uint8ClampedArray = new Uint8Array(width * 4);
  let to = 0;
  for (let y = 0; y < height; y++) {
    rows[to++] = filterUp;
    const row = rgba.subarray(y * width * 4, (y + 1) * width * 4);
    for (let at = 0; at < row.length; at += 4) {
      rows[to++] = row[at]! - above[at]!;
      rows[to++] = row[at + 1]! - above[at + 1]!;
      rows[to++] = row[at + 2]! - above[at + 2]!;
      if (channels === 4) rows[to++] = row[at + 3]! - above[at + 3]!;
    }
    above = row;
  }
  return rows;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8);
  return bytes;
}
