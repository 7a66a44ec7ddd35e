import type { FieldType } from '../source/source.ts';
import {
  FlatFault,
  fieldAt,
  followOffset,
  stringIn,
  vectorIn,
  vectorLength,
  type FlatBytes,
} from './flat-table.ts';

export interface Column {
  readonly name: string;
  /** One of columnType. */
  readonly type: number;
}

/** FlatGeobuf's header.fbs, enum ColumnType. */
export const columnType = {
  byte: 0,
  ubyte: 1,
  bool: 2,
  short: 3,
  ushort: 4,
  int: 5,
  uint: 6,
  long: 7,
  ulong: 8,
  float: 9,
  double: 10,
  string: 11,
  json: 12,
  dateTime: 13,
  binary: 14,
} as const;

const fieldTypes: Readonly<Record<number, FieldType>> = {
  [columnType.bool]: 'boolean',
  [columnType.float]: 'number',
  [columnType.double]: 'number',
  [columnType.string]: 'string',
  [columnType.json]: 'json',
  [columnType.dateTime]: 'date',
};

/** Undefined for skipped columns. */
export function fieldTypeOf({ name, type }: Column): FieldType | undefined {
  // An assignment to __proto__ would not make a property.
  if (type === columnType.binary || name === '__proto__') return undefined;
  return fieldTypes[type] ?? 'integer';
}

/** The columns in a field of a header or a feature, undefined if it has none. */
export function readColumns(flat: FlatBytes, table: number, slot: number): Column[] | undefined {
  const first = vectorIn(flat, table, slot, 4);
  if (first === 0) return undefined;
  return Array.from({ length: vectorLength(flat, first) }, (_, i) => {
    const column = followOffset(flat, first + i * 4);
    const name = stringIn(flat, column, 0);
    const typeAt = fieldAt(flat, column, 1, 1);
    const type = typeAt === 0 ? columnType.byte : flat.view.getUint8(typeAt);
    if (name === undefined) throw new FlatFault('a column has no name');
    if (type > columnType.binary) throw new FlatFault(`the column ${name} is of the unknown type ${type}`);
    return { name, type };
  });
}

/** The range of the values of one feature. */
export interface ValueRange {
  readonly at: number;
  readonly end: number;
}

/**
 * The values of a feature: the number of a column, its value, and so on. Integers beyond 2^53 become their digits in
 * a string, binary values are omitted, columns without a value are absent.
 */
export function readProperties(
  { bytes, view }: FlatBytes,
  { at, end }: ValueRange,
  columns: readonly Column[],
): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  let next = at;
  /** Consumes a value of this many bytes. */
  const take = (size: number): number => {
    const from = next;
    next += size;
    if (next > end) throw new FlatFault('the properties end in the middle of a value');
    return from;
  };
  const text = (): string => {
    const from = take(4);
    const first = take(view.getUint32(from, true));
    return bytes.toString('utf8', first, next);
  };
  while (next < end) {
    const column = columns[view.getUint16(take(2), true)];
    if (column === undefined) throw new FlatFault('the properties name a column that does not exist');
    const { name, type } = column;
    let value: unknown;
    switch (type) {
      case columnType.string:
      case columnType.dateTime:
        value = text();
        break;
      case columnType.json:
        value = parsed(text());
        break;
      case columnType.binary:
        take(view.getUint32(take(4), true));
        continue;
      default:
        value = readScalar(view, take(scalarBytes[type]!), type);
    }
    if (name !== '__proto__') properties[name] = value;
  }
  return properties;
}

const scalarBytes: readonly number[] = [1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8];

function readScalar(view: DataView, at: number, type: number): number | boolean | string {
  switch (type) {
    case columnType.byte:
      return view.getInt8(at);
    case columnType.ubyte:
      return view.getUint8(at);
    case columnType.bool:
      return view.getUint8(at) !== 0;
    case columnType.short:
      return view.getInt16(at, true);
    case columnType.ushort:
      return view.getUint16(at, true);
    case columnType.int:
      return view.getInt32(at, true);
    case columnType.uint:
      return view.getUint32(at, true);
    case columnType.float:
      return view.getFloat32(at, true);
    case columnType.double:
      return view.getFloat64(at, true);
    default:
      return type === columnType.long
        ? exact(view.getInt32(at + 4, true), view.getUint32(at, true))
        : exact(view.getUint32(at + 4, true), view.getUint32(at, true));
  }
}

function exact(high: number, low: number): number | string {
  const value = high * 2 ** 32 + low;
  return Number.isSafeInteger(value) ? value : String(BigInt(high) * 2n ** 32n + BigInt(low));
}

/** Text that is not JSON stays text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
