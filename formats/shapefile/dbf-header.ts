import { SourceError, type FieldType } from '../source/source.ts';

/** A column of a dBase table. */
export interface DbfField {
  readonly name: string;
  /** C, N, F, L, D, I, O, @, T … */
  readonly type: string;
  /** Offset in the record. */
  readonly at: number;
  /** In bytes. */
  readonly length: number;
  readonly decimals: number;
}

export interface DbfHeader {
  readonly headerBytes: number;
  readonly recordBytes: number;
  /** No more than the file holds. */
  readonly rowCount: number;
  readonly fields: readonly DbfField[];
  /** The language driver id. */
  readonly language: number;
}

const fixedBytes = 32;
const fieldBytes = 32;
const endOfFields = 0x0d;

/**
 * @param bytes the beginning of the file with the whole header, at most 65,535 bytes
 * @param size size of the file, because the header's own count may be wrong
 * @param decode decodes column names
 * @throws SourceError brokenFile, unsupported
 */
export function parseDbfHeader(bytes: Buffer, size: number, decode: (name: Buffer) => string): DbfHeader {
  if (bytes.length < fixedBytes) refuse('too short for a dBase table');
  // dBase 7 has another header.
  if ((bytes[0]! & 7) === 4) {
    throw new SourceError('unsupported', 'the .dbf is a dBase 7 table: save it as dBase IV');
  }
  const headerBytes = bytes.readUInt16LE(8);
  const recordBytes = bytes.readUInt16LE(10);
  if (headerBytes < fixedBytes + 1 || headerBytes > size || recordBytes < 1) {
    refuse(`its header announces ${headerBytes} bytes for itself and ${recordBytes} per row`);
  }
  const fields = parseFields(bytes.subarray(0, headerBytes), recordBytes, decode);
  const rowCount = Math.min(bytes.readUInt32LE(4), Math.floor((size - headerBytes) / recordBytes));
  return { headerBytes, recordBytes, rowCount, fields, language: bytes[29]! };
}

function parseFields(header: Buffer, recordBytes: number, decode: (name: Buffer) => string): DbfField[] {
  const descriptors: Buffer[] = [];
  for (let at = fixedBytes; at + fieldBytes <= header.length && header[at] !== endOfFields; at += fieldBytes)
    descriptors.push(header.subarray(at, at + fieldBytes));
  const narrow = descriptors.map((descriptor) => descriptor[16]!);
  // Clipper and FoxPro: the decimals of a text are the upper byte of its length.
  const wide = descriptors.map((d) => (d[11] === 0x43 ? d.readUInt16LE(16) : d[16]!));
  const sum = (lengths: readonly number[]): number => lengths.reduce((total, length) => total + length, 1);
  const lengths = sum(narrow) !== recordBytes && sum(wide) === recordBytes ? wide : narrow;
  if (sum(lengths) > recordBytes) {
    refuse(`its columns take ${sum(lengths)} bytes, but its rows are ${recordBytes} long`);
  }
  let at = 1;
  const names = new Set<string>();
  const fields = descriptors.map((descriptor, i) => {
    const end = descriptor.subarray(0, 11).indexOf(0);
    const name = distinct(
      decode(descriptor.subarray(0, end < 0 ? 11 : end)).trim() || `field_${i + 1}`,
      names,
    );
    const length = lengths[i]!;
    const field = { name, type: String.fromCharCode(descriptor[11]!), at, length, decimals: descriptor[17]! };
    at += length;
    return field;
  });
  return fields.filter(({ length }) => length > 0);
}

/** Ten letters are soon the same. */
function distinct(name: string, taken: Set<string>): string {
  let free = name;
  for (let i = 2; taken.has(free); i++) free = `${name}_${i}`;
  taken.add(free);
  return free;
}

export function fieldType({ type, decimals }: DbfField): FieldType {
  if (type === 'N' || type === 'F') return decimals === 0 && type === 'N' ? 'integer' : 'number';
  if (type === 'I' || type === '+') return 'integer';
  if (type === 'O') return 'number';
  if (type === 'L') return 'boolean';
  return type === 'D' || type === 'T' || type === '@' ? 'date' : 'string';
}

function refuse(reason: string): never {
  throw new SourceError('brokenFile', `the .dbf is damaged (${reason}): upload it again, or omit the .dbf`);
}
