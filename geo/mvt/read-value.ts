import type { AttributeValue } from './attributes.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Reads the content of a Layer.Value message of any writer (MVT 2.1, 4.4 "Feature attributes"). Integers beyond 2^53 lose
 * their last digits. @returns undefined if it is empty, cut off or of an unknown type
 */
export function readValue(bytes: Uint8Array): AttributeValue | undefined {
  if (bytes.length < 2) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const field = bytes[0]! >>> 3;
  if (field === 2) return bytes.length < 5 ? undefined : view.getFloat32(1, true);
  if (field === 3) return bytes.length < 9 ? undefined : view.getFloat64(1, true);
  const varint = longVarint(bytes, 1);
  if (varint === undefined) return undefined;
  if (field === 1) return decoder.decode(bytes.subarray(varint.end, varint.end + Number(varint.value)));
  if (field === 4) return Number(BigInt.asIntN(64, varint.value));
  if (field === 5) return Number(varint.value);
  if (field === 6) return Number((varint.value >> 1n) ^ -(varint.value & 1n));
  return field === 7 ? varint.value !== 0n : undefined;
}

function longVarint(bytes: Uint8Array, at: number): { value: bigint; end: number } | undefined {
  let value = 0n;
  for (let shift = 0n; shift < 70n && at < bytes.length; shift += 7n) {
    const byte = bytes[at++]!;
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return { value: BigInt.asUintN(64, value), end: at };
  }
  return undefined;
}
