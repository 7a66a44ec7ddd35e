import { createByteWriter, writeBytes, writeVarint, type ByteWriter } from './byte-writer.ts';

export type AttributeValue = string | number | boolean;

/** Names and values written once in the form that tiles hold them in, each with a small number for a name. */
export interface AttributeDictionary {
  readonly keyCount: number;
  readonly valueCount: number;
  keyOf(name: string): number;
  /** -1 once the dictionary, or this key's share of it, is full: the value is then kept with its feature. */
  valueOf(key: number, value: AttributeValue): number;
  writeKey(out: ByteWriter, key: number): void;
  writeValue(out: ByteWriter, value: number): void;
}

export interface DictionaryLimits {
  readonly values: number;
  readonly valuesPerKey: number;
  readonly bytes: number;
}

const encoder = new TextEncoder();
const number = new DataView(new ArrayBuffer(8));
const numberBytes = new Uint8Array(number.buffer);

/** MVT 2.1, 4.4 "Feature attributes": a Layer.Value message with its length before it. */
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
    // Unsigned where it can be, as the shortest; else sint, zigzag by arithmetic as it may exceed 32 bits.
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

export function createAttributeDictionary(limits: DictionaryLimits): AttributeDictionary {
  const keys = new Map<string, number>();
  const values = new Map<AttributeValue, number>();
  const valuesOfKey: number[] = [];
  const keyBytes = createByteWriter(1 << 12);
  const keyEnds: number[] = [];
  const valueBytes = createByteWriter(1 << 16);
  const valueEnds: number[] = [];
  return {
    get keyCount() {
      return keyEnds.length;
    },
    get valueCount() {
      return valueEnds.length;
    },
    keyOf(name) {
      let key = keys.get(name);
      if (key === undefined) {
        key = keyEnds.length;
        keys.set(name, key);
        const text = encoder.encode(name);
        writeVarint(keyBytes, text.length);
        writeBytes(keyBytes, text, 0, text.length);
        keyEnds.push(keyBytes.length);
        valuesOfKey.push(0);
      }
      return key;
    },
    valueOf(key, value) {
      const known = values.get(value);
      if (known !== undefined) return known;
      const id = valueEnds.length;
      if (
        id >= limits.values ||
        valuesOfKey[key]! >= limits.valuesPerKey ||
        valueBytes.length >= limits.bytes
      ) {
        return -1;
      }
      if (typeof value === 'string' && value.length > 4096) return -1;
      values.set(value, id);
      valuesOfKey[key]!++;
      writeAttributeValue(valueBytes, value);
      valueEnds.push(valueBytes.length);
      return id;
    },
    writeKey(out, key) {
      writeBytes(out, keyBytes.bytes, key === 0 ? 0 : keyEnds[key - 1]!, keyEnds[key]!);
    },
    writeValue(out, value) {
      writeBytes(out, valueBytes.bytes, value === 0 ? 0 : valueEnds[value - 1]!, valueEnds[value]!);
    },
  };
}
