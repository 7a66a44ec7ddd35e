import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { readIndexedPng } from './read-indexed-png.ts';
import { writePng } from './write-png.ts';

const [width, height] = [37, 25];

/** Row by row with another of the five filters, as encoders choose them (PNG 3, 9.2). */
function encode(pixels: readonly number[], depth: number, palette: Uint8Array): Buffer {
  const rowBytes = Math.ceil((width * depth) / 8);
  const packed = Array.from({ length: height }, (_, y) => {
    const row = new Uint8Array(rowBytes);
    for (let x = 0; x < width; x++)
      row[(x * depth) >> 3]! |= pixels[y * width + x]! << (8 - depth - ((x * depth) & 7));
    return row;
  });
  const rows = packed.flatMap((row, y) => {
    const filter = y % 5;
    const at = (i: number, up: number) => (i < 0 || y < up ? 0 : packed[y - up]![i]!);
    const filtered = [...row].map((value, i) => {
      const [a, b, c] = [at(i - 1, 0), at(i, 1), at(i - 1, 1)];
      const near = [a, b, c].toSorted((p, q) => Math.abs(a + b - c - p) - Math.abs(a + b - c - q))[0]!;
      return (value - [0, a, b, (a + b) >> 1, near][filter]!) & 255;
    });
    return [[filter], filtered];
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, 3], 8);
  const data = deflateSync(Buffer.from(rows.flat()));
  const halves = [data.subarray(0, 20), data.subarray(20)];
  const chunks = [
    chunk('IHDR', header),
    chunk('PLTE', palette),
    ...halves.map((half) => chunk('IDAT', half)),
  ];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks, chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, data, Buffer.alloc(4)]);
}

const paletteOf = (colours: number) => Uint8Array.from({ length: colours * 3 }, (_, i) => (i * 7) % 256);
const pixelsOf = (colours: number) =>
  Array.from({ length: width * height }, (_, i) => (i * i + (i >> 4)) % colours);

test('pictures with palettes of every depth are read as they were, whichever way their rows are filtered', () => {
  for (const depth of [1, 2, 4, 8]) {
    const pixels = pixelsOf(2 ** depth);
    const palette = paletteOf(2 ** depth);
    const read = readIndexedPng(encode(pixels, depth, palette));
    assert.deepEqual([read.width, read.height], [width, height]);
    for (const [at, value] of read.rgba.entries())
      assert.equal(value, at % 4 === 3 ? 255 : palette[pixels[at >> 2]! * 3 + (at % 4)]);
  }
});

test('other PNGs, truncated ones and other files are refused', () => {
  const png = encode(pixelsOf(4), 2, paletteOf(4));
  const plain = writePng(new Uint8Array(4 * 4 * 4), 4, 4);
  const interlaced = Buffer.from(png);
  interlaced[28] = 1;
  for (const bytes of [plain, interlaced, png.subarray(0, 90), Buffer.from('none'), Buffer.alloc(0)])
    assert.throws(() => readIndexedPng(bytes));
});
