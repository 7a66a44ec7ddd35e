import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';

/** Reads the red, green and blue of the pixel at x, y of a thumbnail. */
export function pixelsOf(png: Uint8Array) {
  const bytes = Buffer.from(png);
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [600, 400]);
  const rows = inflateSync(bytes.subarray(41, 41 + bytes.readUInt32BE(33)));
  const rowBytes = 1 + 600 * 3;
  for (let at = 0; at < rows.length; at++) {
    if (at % rowBytes !== 0 && at >= rowBytes) rows[at] = (rows[at]! + rows[at - rowBytes]!) & 255;
  }
  return (x: number, y: number) => [...rows.subarray(y * rowBytes + 1 + x * 3, y * rowBytes + 4 + x * 3)];
}
