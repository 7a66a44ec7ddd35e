import { columnType, type Column } from './columns.ts';
import { reserve, type FlatWriter } from './flat-writer.ts';

/** The number of a column is a uint16. */
const maxColumns = 65_535;
/** Keeps the header below the 10 MB that readers accept. */
const maxNameBytes = 4 * 2 ** 20;

/** Which values a column has had. */
const seen = { truth: 1, int: 2, long: 4, double: 8, text: 16, json: 32 };

/**
 * The columns of a file that is still being written. What type one has is known only at the end, so values are
 * first recorded as they are: the number of the column, what it is (one of `seen`), the value.
 */
export interface ColumnRecorder {
  /** Appends the record of a feature's properties. */
  record(writer: FlatWriter, properties: Readonly<Record<string, unknown>>): void;
  /** The columns so far. */
  columns(): Column[];
  /** There were more names than a header can hold. */
  readonly tooMany: boolean;
}

export function createColumnRecorder(): ColumnRecorder {
  const numbers = new Map<string, number>();
  const values: number[] = [];
  let nameBytes = 0;
  let tooMany = false;
  const numberOf = (name: string): number => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    nameBytes += Buffer.byteLength(name);
    if (numbers.size === maxColumns || nameBytes > maxNameBytes) {
      tooMany = true;
      return -1;
    }
    numbers.set(name, values.push(0) - 1);
    return values.length - 1;
  };
  return {
    get tooMany() {
      return tooMany;
    },
    record(writer, properties) {
      for (const name in properties) {
        const value = properties[name];
        const column = numberOf(name);
        if (column >= 0 && value != null) values[column]! |= recordValue(writer, column, value);
      }
    },
    columns: () => Array.from(numbers, ([name, number]) => ({ name, type: typeFor(values[number]!) })),
  };
}

/**
 * The narrowest type that holds all values: mixed scalars become text, and everything becomes JSON if one value is an
 * object.
 */
function typeFor(values: number): number {
  if ((values & seen.json) !== 0) return columnType.json;
  if (values === seen.truth) return columnType.bool;
  if (values === 0 || (values & (seen.truth | seen.text)) !== 0) return columnType.string;
  if ((values & seen.double) !== 0) return columnType.double;
  return (values & seen.long) !== 0 ? columnType.long : columnType.int;
}

function recordValue(writer: FlatWriter, column: number, value: unknown): number {
  const kind = kindOf(value);
  reserve(writer, 11);
  writer.view.setUint16(writer.at, column, true);
  writer.view.setUint8(writer.at + 2, kind);
  writer.at += 3;
  if (kind === seen.truth) writer.bytes[writer.at++] = value === true ? 1 : 0;
  else if (typeof value === 'number') {
    writer.view.setFloat64(writer.at, value, true);
    writer.at += 8;
  } else writeText(writer, kind === seen.text ? String(value) : JSON.stringify(value));
  return kind;
}

function kindOf(value: unknown): number {
  if (typeof value === 'boolean') return seen.truth;
  if (typeof value === 'object') return seen.json;
  if (typeof value !== 'number') return seen.text;
  if ((value | 0) === value) return seen.int;
  return Number.isSafeInteger(value) ? seen.long : seen.double;
}

/** Appends a record as FlatGeobuf has it, now that the types are known. @param from, to the record's bytes */
export function writeRecord(
  writer: FlatWriter,
  record: { readonly bytes: Buffer; readonly view: DataView; readonly from: number; readonly to: number },
  columns: readonly Column[],
): void {
  const { bytes, view, to } = record;
  let at = record.from;
  while (at < to) {
    const column = view.getUint16(at, true);
    const kind = view.getUint8(at + 2);
    at += 3;
    const { type } = columns[column]!;
    reserve(writer, 10);
    writer.view.setUint16(writer.at, column, true);
    writer.at += 2;
    if (kind === seen.text || kind === seen.json) {
      const length = view.getUint32(at, true);
      at += 4;
      if (kind === seen.text && type === columnType.json) {
        writeText(writer, JSON.stringify(bytes.toString('utf8', at, at + length)));
      } else {
        reserve(writer, 4 + length);
        bytes.copy(writer.bytes, writer.at, at - 4, at + length);
        writer.at += 4 + length;
      }
      at += length;
    } else {
      writeScalar(writer, type, kind === seen.truth ? bytes[at] === 1 : view.getFloat64(at, true));
      at += kind === seen.truth ? 1 : 8;
    }
  }
}

function writeScalar(writer: FlatWriter, type: number, value: number | boolean): void {
  const { view } = writer;
  if (type === columnType.bool) writer.bytes[writer.at++] = value === true ? 1 : 0;
  else if (type === columnType.int) {
    view.setInt32(writer.at, Number(value), true);
    writer.at += 4;
  } else if (type === columnType.long) {
    view.setBigInt64(writer.at, BigInt(value), true);
    writer.at += 8;
  } else if (type === columnType.double) {
    view.setFloat64(writer.at, Number(value), true);
    writer.at += 8;
  } else writeText(writer, type === columnType.json ? JSON.stringify(value) : String(value));
}

function writeText(writer: FlatWriter, text: string): void {
  const length = Buffer.byteLength(text);
  reserve(writer, 4 + length);
  writer.view.setUint32(writer.at, length, true);
  writer.bytes.write(text, writer.at + 4);
  writer.at += 4 + length;
}
