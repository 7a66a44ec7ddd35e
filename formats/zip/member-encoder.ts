import { encodeMemberName } from './encode-member-name.ts';
import { encodeLocalHeader, encodeRecord, type RecordFields } from './encode-records.ts';
import { localHeaderBytes } from './local-header.ts';
import { isPlain } from './member-name.ts';
import { recordBytes } from './read-records.ts';

/** Encodes members one after the other, by the million: without an allocation for each. */
export interface MemberEncoder {
  /** The local header of a member; valid until the next. @throws TypeError for names that readers refuse or change */
  header(name: string, fields: Omit<RecordFields, 'rawName'>): Uint8Array;
  /** The record of the same member in the central directory; valid until the next. */
  record(): Uint8Array;
}

const maxNameBytes = 0xffff;
const max32 = 0xffffffff;
/** A character takes three bytes at most. */
const bytesPerUnit = 3;

export function createMemberEncoder(): MemberEncoder {
  const header = Buffer.alloc(localHeaderBytes + maxNameBytes);
  const record = Buffer.alloc(recordBytes + maxNameBytes);
  const none = { rawName: new Uint8Array(0), flags: 0, method: 0, crc32: 0, packedSize: 0, size: 0 };
  header.set(encodeLocalHeader({ ...none, attributes: 0, headerOffset: 0 }, false));
  record.set(encodeRecord({ ...none, attributes: 0, headerOffset: 0 }));
  let nameBytes = 0;
  let wide: Uint8Array | undefined;
  const writeName = (name: string): void => {
    if (name.length * bytesPerUnit <= maxNameBytes) {
      nameBytes = header.write(name, localHeaderBytes);
      if (isPlain(header.subarray(localHeaderBytes, localHeaderBytes + nameBytes))) return;
    }
    const rawName = encodeMemberName(name);
    header.set(rawName, localHeaderBytes);
    nameBytes = rawName.length;
  };
  return {
    header(name, fields) {
      writeName(name);
      header.writeUInt16LE(fields.flags, 6);
      header.writeUInt16LE(fields.method, 8);
      header.writeUInt32LE(fields.crc32, 14);
      header.writeUInt32LE(fields.packedSize, 18);
      header.writeUInt32LE(fields.size, 22);
      header.writeUInt16LE(nameBytes, 26);
      const end = localHeaderBytes + nameBytes;
      wide = undefined;
      if (fields.headerOffset >= max32)
        wide = encodeRecord({ ...fields, rawName: header.subarray(localHeaderBytes, end) });
      header.copy(record, 8, 6, 28); // what both have in common
      record.writeUInt32LE(fields.attributes, 38);
      if (wide === undefined) record.writeUInt32LE(fields.headerOffset, 42);
      header.copy(record, recordBytes, localHeaderBytes, end);
      return header.subarray(0, end);
    },
    record: () => wide ?? record.subarray(0, recordBytes + nameBytes),
  };
}
