/** A growing buffer for protobuf's wire format. It is cleared and reused, so that it is allocated once. */
export interface ByteWriter {
  bytes: Uint8Array;
  length: number;
}

export function createByteWriter(capacity: number): ByteWriter {
  return { bytes: new Uint8Array(capacity), length: 0 };
}

export function reserveBytes(out: ByteWriter, count: number): void {
  const needed = out.length + count;
  if (needed <= out.bytes.length) return;
  const larger = new Uint8Array(Math.max(needed, out.bytes.length * 2));
  larger.set(out.bytes.subarray(0, out.length));
  out.bytes = larger;
}

/** @param value integer from 0 to 2^53 */
export function writeVarint(out: ByteWriter, value: number): void {
  if (out.length + 8 > out.bytes.length) reserveBytes(out, 8);
  const { bytes } = out;
  let at = out.length;
  while (value > 0x7fffffff) {
    bytes[at++] = (value % 128) | 128;
    value = Math.floor(value / 128);
  }
  while (value > 127) {
    bytes[at++] = (value & 127) | 128;
    value >>>= 7;
  }
  bytes[at++] = value;
  out.length = at;
}

/** @param value 32-bit integer; small absolute values stay short */
export function writeZigzag(out: ByteWriter, value: number): void {
  writeVarint(out, ((value << 1) ^ (value >> 31)) >>> 0);
}

export function writeBytes(out: ByteWriter, source: Uint8Array, start: number, end: number): void {
  reserveBytes(out, end - start);
  if (end - start < 32) {
    const { bytes } = out;
    let at = out.length;
    for (let i = start; i < end; i++) bytes[at++] = source[i]!;
  } else out.bytes.set(source.subarray(start, end), out.length);
  out.length += end - start;
}

/** Number of bytes that `writeVarint` takes. */
export function varintLength(value: number): number {
  let length = 1;
  while (value > 127) {
    value = Math.floor(value / 128);
    length++;
  }
  return length;
}

/** Reads an integer from 0 to 2^53. */
export function varintAt(bytes: Uint8Array, at: number): number {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at++]!;
    value += (byte & 127) * factor;
    if (byte < 128) return value;
  }
}

/** Offset just after the integer. */
export function varintEnd(bytes: Uint8Array, at: number): number {
  while (bytes[at]! > 127) at++;
  return at + 1;
}

/** The inverse of `writeZigzag`. */
export function zigzagAt(bytes: Uint8Array, at: number): number {
  const value = varintAt(bytes, at);
  return (value >>> 1) ^ -(value & 1);
}
