import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, inflateSync } from 'node:zlib';
import { writePng, writePngAsync } from './write-png.ts';

/** Walks over the chunks as a decoder does, and undoes the filter `up`, the only one that is written. */
function decode(png: Uint8Array) {
  const bytes = Buffer.from(png);
  assert.equal(bytes.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    assert.equal(bytes.readUInt32BE(end), crc32(bytes.subarray(at + 4, end)));
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, end));
    at = end + 4;
  }
  assert.deepEqual([...chunks.keys()], ['IHDR', 'IDAT', 'IEND']);
  const header = chunks.get('IHDR')!;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const colourType = header[9]!;
  assert.deepEqual([...header.subarray(8)], [8, colourType, 0, 0, 0]);
  const rowBytes = width * (colourType === 2 ? 3 : 4);
  const rows = inflateSync(chunks.get('IDAT')!);
  assert.equal(rows.length, height * (rowBytes + 1));
  const pixels: number[] = [];
  for (let y = 0; y < height; y++) {
    assert.equal(rows[y * (rowBytes + 1)], 2);
    for (let i = 0; i < rowBytes; i++) {
      const above = y === 0 ? 0 : pixels[(y - 1) * rowBytes + i]!;
      pixels.push((rows[y * (rowBytes + 1) + 1 + i]! + above) & 255);
    }
  }
  return { pixels, colourType, width, height };
}

const pixels = Uint8Array.from({ length: 7 * 5 * 4 }, (_, i) => (i * 37) % 256);

test('a picture with alpha can be read back as it was', () => {
  assert.deepEqual(decode(writePng(pixels, 7, 5)), {
    pixels: [...pixels],
    colourType: 6,
    width: 7,
    height: 5,
  });
});

test('packed aside it is the same picture', async () => {
  assert.deepEqual(decode(await writePngAsync(pixels, 7, 5)), decode(writePng(pixels, 7, 5)));
});

test('an opaque picture is stored without alpha', () => {
  const opaque = pixels.map((value, i) => (i % 4 === 3 ? 255 : value));
  const decoded = decode(writePng(opaque, 5, 7));
  assert.equal(decoded.colourType, 2);
  assert.deepEqual(
    decoded.pixels,
    [...opaque].filter((_, i) => i % 4 !== 3),
  );
});

test('pixels that do not fill the image are refused', () => {
  assert.throws(() => writePng(pixels, 7, 6), RangeError);
  assert.throws(() => writePng(new Uint8Array(0), 0, 0), RangeError);
});
