import type { XmlElement } from '../xml/xml-tree.ts';

/** A field of the points of a scan: how its numbers are packed. */
export interface E57Field {
  readonly name: string;
  readonly kind: 'single' | 'double' | 'integer' | 'other';
  /** Of a packed number; undefined where that varies. */
  readonly bits: number | undefined;
  /** Of integers: what is added to the packed number. */
  readonly minimum: bigint;
  readonly scale: number;
  readonly offset: number;
  /** Of all values, if it says so. */
  readonly limits: readonly [min: number, max: number] | undefined;
}

const [minLong, maxLong] = [-(2n ** 63n), 2n ** 63n - 1n];

/** By an element of the prototype (ASTM E2807, 8.3). */
export function fieldOf({ name, attributes }: XmlElement): E57Field {
  const { type } = attributes;
  const plain = { name, minimum: 0n, scale: 1, offset: 0 };
  const [low, high] = [attributes['minimum'], attributes['maximum']];
  if (type === 'Float') {
    const kind = attributes['precision'] === 'single' ? 'single' : 'double';
    const limits = [Number(low ?? NaN), Number(high ?? NaN)] as const;
    const isLimited = limits.every(Number.isFinite);
    return { ...plain, kind, bits: kind === 'single' ? 32 : 64, limits: isLimited ? limits : undefined };
  }
  if (type !== 'Integer' && type !== 'ScaledInteger')
    return { ...plain, kind: 'other', bits: undefined, limits: undefined };
  const [minimum, maximum] = [longOf(low) ?? minLong, longOf(high) ?? maxLong];
  const range = maximum - minimum;
  const scaled = type === 'ScaledInteger';
  const scale = scaled ? Number(attributes['scale'] ?? 1) : 1;
  const offset = scaled ? Number(attributes['offset'] ?? 0) : 0;
  return {
    name,
    kind:
      range < 0n || !Number.isFinite(offset) || !Number.isFinite(scale) || scale === 0 ? 'other' : 'integer',
    bits: range > 0n ? range.toString(2).length : range === 0n ? 0 : undefined,
    minimum,
    scale,
    offset,
    limits:
      low === undefined || high === undefined
        ? undefined
        : [Number(minimum) * scale + offset, Number(maximum) * scale + offset],
  };
}

function longOf(text: string | undefined): bigint | undefined {
  return text !== undefined && /^\s*[+-]?\d{1,19}\s*$/.test(text) ? BigInt(text.trim()) : undefined;
}

/** Bits of a number that fit, shifted by up to seven, into a double. */
const maxExactBits = 45;

/** Reads so many numbers of a field from its bytes. @param firstBit where the first begins, below 8 */
export function decodeField(
  { kind, bits, minimum, scale, offset }: E57Field,
  packed: Uint8Array,
  firstBit: number,
  count: number,
): Float64Array {
  const values = new Float64Array(count);
  if (bits === undefined) return values.fill(NaN);
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  if (kind === 'double') for (let i = 0; i < count; i++) values[i] = view.getFloat64(i * 8, true);
  else if (kind === 'single') for (let i = 0; i < count; i++) values[i] = view.getFloat32(i * 4, true);
  else if (bits <= maxExactBits) {
    const add = Number(minimum);
    for (let i = 0; i < count; i++)
      values[i] = (bitsAt(packed, firstBit + i * bits, bits) + add) * scale + offset;
  } else
    for (let i = 0; i < count; i++)
      values[i] = Number(longBitsAt(packed, firstBit + i * bits, bits) + minimum) * scale + offset;
  return values;
}

/** The lowest bit comes first. */
function bitsAt(packed: Uint8Array, bit: number, bits: number): number {
  const shift = bit & 7;
  let at = Math.floor(bit / 8);
  let value = packed[at++]! >>> shift;
  for (let have = 8 - shift; have < bits; have += 8) value += (packed[at++] ?? 0) * 2 ** have;
  return value % 2 ** bits;
}

function longBitsAt(packed: Uint8Array, bit: number, bits: number): bigint {
  let value = 0n;
  const first = Math.floor(bit / 8);
  const last = Math.floor((bit + bits - 1) / 8);
  for (let at = last; at >= first; at--) value = (value << 8n) | BigInt(packed[at] ?? 0);
  return BigInt.asUintN(bits, value >> BigInt(bit & 7));
}
