import {
  createByteWriter,
  varintAt,
  varintEnd,
  writeBytes,
  writeVarint,
  type ByteWriter,
} from './byte-writer.ts';

export type AttributeValue = string | number | boolean;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const number = new DataView(new ArrayBuffer(8));
const numberBytes = new Uint8Array(number.buffer);

/** Writes a length-prefixed Layer.Value message (MVT 2.1, 4.4 "Feature attributes"). */
export function writeAttributeValue(out: ByteWriter, value: AttributeValue): void {
  if (typeof value === 'string') {
    const text = encoder.encode(value);
    const body = createByteWriter(text.length + 8);
    writeVarint(body, 0x0a);
    writeVarint(body, text.length);
    writeBytes(body, text, 0, text.length);
    writeVarint(out, body.length);
    writeBytes(out, body.bytes, 0, body.length);
  } else if (typeof value === 'boolean') {
    writeVarint(out, 2);
    writeVarint(out, 0x38);
    writeVarint(out, value ? 1 : 0);
  } else if (Number.isSafeInteger(value)) {
    // Non-negative integers are written unsigned, the shortest form; others as sint. Zigzag by arithmetic, as values
    // may exceed 32 bits.
    const negative = value < 0;
    const body = createByteWriter(16);
    writeVarint(body, negative ? 0x30 : 0x28);
    if (value < -(2 ** 52)) return writeDouble(out, value);
    writeVarint(body, negative ? -2 * value - 1 : value);
    writeVarint(out, body.length);
    writeBytes(out, body.bytes, 0, body.length);
  } else writeDouble(out, value);
}

function writeDouble(out: ByteWriter, value: number): void {
  number.setFloat64(0, value, true);
  writeVarint(out, 9);
  writeVarint(out, 0x19);
  writeBytes(out, numberBytes, 0, 8);
}

/** Offset just after the value at `start`. */
export function endOfValue(bytes: Uint8Array, start: number): number {
  const first = bytes[start]!;
  if (first < 128) return start + 1 + first;
  return varintEnd(bytes, start) + varintAt(bytes, start);
}

/** Reads a value that `writeAttributeValue` wrote at `start`. */
export function readAttributeValue(bytes: Uint8Array, start: number): AttributeValue {
  const message = varintEnd(bytes, start);
  const field = bytes[message]!;
  const at = message + 1;
  if (field === 0x19) {
    numberBytes.set(bytes.subarray(at, at + 8));
    return number.getFloat64(0, true);
  }
  const value = varintAt(bytes, at);
  if (field === 0x0a) {
    const text = varintEnd(bytes, at);
    return decoder.decode(bytes.subarray(text, text + value));
  }
  if (field === 0x38) return value === 1;
  if (field === 0x28) return value;
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

/** FNV-1a, 32 bits, of the bytes that `writeAttributeValue` wrote. */
export function hashOfValue(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return hash ^ (hash >>> 15);
}

/** Attribute names, each with its index. */
export interface KeyTable {
  readonly names: readonly string[];
  keyOf(name: string): number;
}

export function createKeyTable(): KeyTable {
  const names: string[] = [];
  const keys = new Map<string, number>();
  return {
    names,
    keyOf(name) {
      let key = keys.get(name);
      if (key === undefined) {
        key = names.length;
        keys.set(name, key);
        names.push(name);
      }
      return key;
    },
  };
}
