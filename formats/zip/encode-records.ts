import { end64Signature, endSignature, locatorSignature } from './find-directory.ts';
import { localHeaderBytes, localHeaderSignature } from './local-header.ts';
import { dataDescriptorFlag, zip64Field } from './member-fields.ts';
import { recordBytes, recordSignature } from './read-records.ts';

/** The fields of a member as they are written. */
export interface RecordFields {
  readonly rawName: Uint8Array;
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  readonly packedSize: number;
  readonly size: number;
  /** The upper half is the Unix mode. */
  readonly attributes: number;
  readonly headerOffset: number;
}

const max32 = 0xffffffff;
const max16 = 0xffff;
/** 2.0 is needed for Deflate, 4.5 for ZIP64. */
const version = 20;
const zip64Version = 45;
const madeOnUnix = 3 << 8;
/** Midnight of 1 January 1980, the first time that MS-DOS has: equal members give equal bytes. */
const dosDate = 0x21;

/** Sizes that follow the bytes are 0 here; the ZIP64 field then says that they have 64 bits (APPNOTE 4.3.9.2). */
export function encodeLocalHeader(fields: RecordFields, isZip64: boolean): Buffer {
  const follow = (fields.flags & dataDescriptorFlag) !== 0;
  const { crc32, packedSize, size } = follow ? { crc32: 0, packedSize: 0, size: 0 } : fields;
  const extra = isZip64 ? encodeZip64Field([size, packedSize]) : Buffer.alloc(0);
  const header = Buffer.alloc(localHeaderBytes);
  header.writeUInt32LE(localHeaderSignature, 0);
  encodeCommon(header, 4, { ...fields, crc32, packedSize, size, extra, isZip64 });
  if (isZip64) header.fill(0xff, 18, 26);
  return Buffer.concat([header, fields.rawName, extra]);
}

/** @param isZip64 writes all sizes and the offset with 64 bits, as it does anyway for those that need them */
export function encodeRecord(fields: RecordFields, isZip64 = false): Buffer {
  const { size, packedSize, headerOffset } = fields;
  const isWide = (value: number) => isZip64 || value >= max32;
  const wide = [size, packedSize, headerOffset].filter(isWide);
  const extra = wide.length > 0 ? encodeZip64Field(wide) : Buffer.alloc(0);
  const record = Buffer.alloc(recordBytes);
  record.writeUInt32LE(recordSignature, 0);
  record.writeUInt16LE(madeOnUnix | version, 4);
  encodeCommon(record, 6, { ...fields, extra, isZip64: wide.length > 0 });
  record.writeUInt32LE(isWide(packedSize) ? max32 : packedSize, 20);
  record.writeUInt32LE(isWide(size) ? max32 : size, 24);
  record.writeUInt32LE(fields.attributes, 38);
  record.writeUInt32LE(isWide(headerOffset) ? max32 : headerOffset, 42);
  return Buffer.concat([record, fields.rawName, extra]);
}

interface CommonFields extends RecordFields {
  readonly extra: Uint8Array;
  readonly isZip64: boolean;
}

function encodeCommon(target: Buffer, at: number, fields: CommonFields): void {
  target.writeUInt16LE(fields.isZip64 ? zip64Version : version, at);
  target.writeUInt16LE(fields.flags, at + 2);
  target.writeUInt16LE(fields.method, at + 4);
  target.writeUInt16LE(dosDate, at + 8);
  target.writeUInt32LE(fields.crc32, at + 10);
  target.writeUInt32LE(Math.min(fields.packedSize, max32), at + 14);
  target.writeUInt32LE(Math.min(fields.size, max32), at + 18);
  target.writeUInt16LE(fields.rawName.length, at + 22);
  target.writeUInt16LE(fields.extra.length, at + 24);
}

function encodeZip64Field(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + values.length * 8);
  field.writeUInt16LE(zip64Field, 0);
  field.writeUInt16LE(values.length * 8, 2);
  for (const [i, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + i * 8);
  return field;
}

/** The checksum and sizes of 64 bits behind a member whose local header is ZIP64 and does not have them. */
export function encodeDataDescriptor({ crc32, packedSize, size }: RecordFields): Buffer {
  const descriptor = Buffer.alloc(24);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(crc32, 4);
  descriptor.writeBigUInt64LE(BigInt(packedSize), 8);
  descriptor.writeBigUInt64LE(BigInt(size), 16);
  return descriptor;
}

export interface DirectorySummary {
  /** Number of members. */
  readonly count: number;
  /** Length of the directory, in bytes. */
  readonly length: number;
  /** Offset of the directory in the archive. */
  readonly offset: number;
}

/** The end record, after a ZIP64 end record and its locator if the archive needs them or `isZip64` asks for them. */
export function encodeEnd({ count, length, offset }: DirectorySummary, isZip64 = false): Buffer {
  const isWide = isZip64 || count >= max16 || length >= max32 || offset >= max32;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(endSignature, 0);
  end.writeUInt16LE(isWide ? max16 : count, 8);
  end.writeUInt16LE(isWide ? max16 : count, 10);
  end.writeUInt32LE(isWide ? max32 : length, 12);
  end.writeUInt32LE(isWide ? max32 : offset, 16);
  if (!isWide) return end;
  const large = Buffer.alloc(76);
  large.writeUInt32LE(end64Signature, 0);
  large.writeBigUInt64LE(44n, 4); // the size of the rest of this record
  large.writeUInt16LE(madeOnUnix | zip64Version, 12);
  large.writeUInt16LE(zip64Version, 14);
  large.writeBigUInt64LE(BigInt(count), 24);
  large.writeBigUInt64LE(BigInt(count), 32);
  large.writeBigUInt64LE(BigInt(length), 40);
  large.writeBigUInt64LE(BigInt(offset), 48);
  large.writeUInt32LE(locatorSignature, 56);
  large.writeBigUInt64LE(BigInt(offset + length), 64);
  large.writeUInt32LE(1, 72);
  return Buffer.concat([large, end]);
}
