import { BytesError, type Bytes } from '../bytes/bytes.ts';
import { viewOf } from '../bytes/read-exactly.ts';
import { baseLengthOf } from './point-format.ts';
import { readRecord, type LasHeader, type LasRecord } from './read-header.ts';

/** A number of each point besides those of its format (LAS 1.4 R15, Extra Bytes). */
export interface ExtraField {
  readonly name: string;
  /** From the start of the point's record. */
  readonly offset: number;
  readonly type: ExtraType;
  /** Undefined: the number is as it is stored. */
  readonly scaling: { readonly factor: number; readonly summand: number } | undefined;
  /** As stored: stands for no number. */
  readonly noData: number | undefined;
}

export interface ExtraFields {
  readonly fields: readonly ExtraField[];
  /** Bytes of each point that nothing describes, or only as such without a meaning. */
  readonly undescribedBytes: number;
}

type ReadNumber = (view: DataView, at: number) => number;

/** The types 1 to 10 in their order. */
const types = {
  uint8: { bytes: 1, read: (view, at) => view.getUint8(at) },
  int8: { bytes: 1, read: (view, at) => view.getInt8(at) },
  uint16: { bytes: 2, read: (view, at) => view.getUint16(at, true) },
  int16: { bytes: 2, read: (view, at) => view.getInt16(at, true) },
  uint32: { bytes: 4, read: (view, at) => view.getUint32(at, true) },
  int32: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  uint64: { bytes: 8, read: (view, at) => Number(view.getBigUint64(at, true)) },
  int64: { bytes: 8, read: (view, at) => Number(view.getBigInt64(at, true)) },
  float32: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  float64: { bytes: 8, read: (view, at) => view.getFloat64(at, true) },
} as const satisfies Record<string, { readonly bytes: number; readonly read: ReadNumber }>;
export type ExtraType = keyof typeof types;
const typeNames = Object.keys(types) as ExtraType[];

const descriptionBytes = 192;
const maxDescriptions = 10_000;
/** Types above 10 are two, above 20 three numbers of the types 1 to 10: earlier revisions had them. */
const maxType = 3 * typeNames.length;
const [hasNoData, hasScale, hasOffset] = [1, 8, 16];

export const isFloat = (type: ExtraType): boolean => type.startsWith('float');

/** The described extra bytes of the points of a file: none if their record is cut off. */
export async function readExtraFields(
  bytes: Bytes,
  header: Pick<LasHeader, 'pointFormat' | 'recordLength'>,
  records: readonly LasRecord[],
): Promise<ExtraFields> {
  const record = records.find(({ user, id }) => user === 'LASF_Spec' && id === 4);
  if (record === undefined) return extraFieldsIn(new Uint8Array(0), header);
  const length = Math.min(record.length, maxDescriptions * descriptionBytes);
  return extraFieldsIn(await readRecord(bytes, { ...record, length }).catch(emptyIfDamaged), header);
}

/** All else of the file can be read. */
function emptyIfDamaged(error: unknown): Uint8Array {
  if (error instanceof BytesError) return new Uint8Array(0);
  throw error;
}

/** @param record descriptions, one behind the other; those of bytes beyond the end of a point's record are left out */
export function extraFieldsIn(
  record: Uint8Array,
  { pointFormat, recordLength }: Pick<LasHeader, 'pointFormat' | 'recordLength'>,
): ExtraFields {
  const fields = new Map<string, ExtraField>();
  const view = viewOf(record);
  const baseLength = baseLengthOf(pointFormat)!;
  let offset = baseLength;
  let described = 0;
  for (let at = 0; at + descriptionBytes <= record.length; at += descriptionBytes) {
    const [code, options] = [view.getUint8(at + 2), view.getUint8(at + 3)];
    if (code === 0 || code > maxType) {
      offset += options;
      continue;
    }
    const type = typeNames[(code - 1) % typeNames.length]!;
    const count = Math.ceil(code / typeNames.length);
    const name = nameIn(record.subarray(at + 4, at + 36));
    for (let i = 0; i < count; i++, offset += types[type].bytes) {
      if (offset + types[type].bytes > recordLength) continue;
      const own = count === 1 ? name : `${name}${i}`;
      if (name !== '' && !fields.has(own))
        fields.set(own, { name: own, offset, type, ...meaningAt(view, at + i * 8, { type, options }) });
      described += types[type].bytes;
    }
  }
  return { fields: [...fields.values()], undescribedBytes: recordLength - baseLength - described };
}

/** The largest number of 32 bits, as tiles have them. */
const maxFloat = 3.4e38;

/** So that no whole number of 64 bits becomes larger than `maxFloat`. */
const maxFactor = 1e18;

/** Scale, offset and no data of a number. @param at of its description, later by 8 bytes for each number before */
function meaningAt(
  view: DataView,
  at: number,
  { type, options }: { readonly type: ExtraType; readonly options: number },
): Pick<ExtraField, 'scaling' | 'noData'> {
  const factor = options & hasScale ? view.getFloat64(at + 112, true) : 1;
  const summand = options & hasOffset ? view.getFloat64(at + 136, true) : 0;
  const isUsable = factor !== 0 && Math.abs(factor) <= maxFactor && Math.abs(summand) <= maxFloat / 2;
  const isScaled = isUsable && (factor !== 1 || summand !== 0);
  return {
    scaling: isScaled ? { factor, summand } : undefined,
    noData: options & hasNoData ? types[wideType(type)].read(view, at + 40) : undefined,
  };
}

/** The type of 8 bytes in which a number that stands for none is written. */
function wideType(type: ExtraType): ExtraType {
  if (isFloat(type)) return 'float64';
  return type.startsWith('u') ? 'uint64' : 'int64';
}

/** Names should be ASCII; programs write UTF-8, which they may cut off, or what their system has. */
function nameIn(raw: Uint8Array): string {
  const end = raw.indexOf(0);
  const used = end < 0 ? raw : raw.subarray(0, end);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(used, { stream: end < 0 }).trim();
  } catch {
    return Buffer.from(used).toString('latin1').trim();
  }
}

/** The numbers of a field in the records that begin at these places; NaN for none. */
export function readExtra(
  view: DataView,
  starts: Uint32Array,
  { offset, type, scaling, noData }: ExtraField,
): Float64Array {
  const { factor, summand } = scaling ?? { factor: 1, summand: 0 };
  const { read } = types[type];
  const none = type === 'float32' && noData !== undefined ? Math.fround(noData) : noData;
  const values = new Float64Array(starts.length);
  for (let i = 0; i < values.length; i++) {
    const stored = read(view, starts[i]! + offset);
    const value = stored * factor + summand;
    values[i] = stored === none || !(Math.abs(value) <= maxFloat) ? NaN : value;
  }
  return values;
}
