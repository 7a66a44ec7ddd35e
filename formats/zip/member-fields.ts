import { memberName, type NameFields } from './member-name.ts';
import { joinUint64 } from './find-directory.ts';
import { ZipError } from './zip-error.ts';
import type { ZipMember, ZipPacking } from './zip-member.ts';

/** The fields that a record of the central directory shares with a local header (APPNOTE 4.3.7 and 4.3.12). */
export interface MemberFields extends NameFields {
  readonly method: number;
  readonly crc32: number;
  readonly packedSize: number;
  readonly size: number;
  /** 0 in local headers. */
  readonly headerOffset: number;
}

const encryptedFlags = 0x2041;
export const dataDescriptorFlag = 0x8;
/** The numbers of the compression methods (APPNOTE 4.4.5). */
export const methods = { stored: 0, deflate: 8, zstd: 93 } as const;
const packings: ReadonlyMap<number, ZipPacking> = new Map(
  Object.entries(methods).map(([packing, method]) => [method, packing as ZipPacking]),
);
/** ZIP64 extended information (APPNOTE 4.5.3). */
export const zip64Field = 0x0001;
/** DEFLATE reaches a ratio of 1032. Zstandard may reach more, but with no real data. */
const maxRatio = 1100;
const repeatedBytes = 1 << 20;

/** Whether the sizes follow the bytes of the member (APPNOTE 4.3.9): its local header may then lack them. */
export function hasDataDescriptor({ flags }: MemberFields): boolean {
  return (flags & dataDescriptorFlag) !== 0;
}

/** @throws ZipError for members that are encrypted or packed by another method, and for impossible sizes and harmful names */
export function parseMember(fields: MemberFields): ZipMember {
  const name = memberName(fields);
  const { flags, method, crc32, headerOffset, packedSize, size } = fields;
  if ((flags & encryptedFlags) !== 0)
    throw new ZipError(
      'unsupported',
      `the member "${name}" is encrypted: create the zip file without a password`,
    );
  const packing = packings.get(method);
  if (packing === undefined)
    throw new ZipError(
      'unsupported',
      `the member "${name}" is compressed with method ${method}: create the zip file with Deflate`,
    );
  if (packing === 'stored' ? size !== packedSize : size > packedSize * maxRatio + repeatedBytes)
    throw new ZipError('damaged', `the member "${name}" has an impossible size`);
  return { name, packing, size, packedSize, crc32, headerOffset };
}

/** Replaces 0xffffffff by the value in the ZIP64 extra field, which holds them in this order (APPNOTE 4.5.3). @throws ZipError */
export function readZip64Sizes(
  { size, packedSize, headerOffset }: { size: number; packedSize: number; headerOffset: number },
  extra: Uint8Array,
): { size: number; packedSize: number; headerOffset: number } {
  const isWide = (value: number) => value === 0xffffffff;
  if (!isWide(size) && !isWide(packedSize) && !isWide(headerOffset))
    return { size, packedSize, headerOffset };
  const view = new DataView(extra.buffer, extra.byteOffset, extra.length);
  let [at, end] = findZip64Field(view);
  const next = (value: number): number => {
    if (!isWide(value)) return value;
    at += 8;
    if (at > end) throw new ZipError('damaged', 'a size in its directory is missing');
    return joinUint64(view.getUint32(at - 8, true), view.getUint32(at - 4, true));
  };
  return { size: next(size), packedSize: next(packedSize), headerOffset: next(headerOffset) };
}

/** The content of the ZIP64 extra field; an empty range if there is none. */
function findZip64Field(view: DataView): [start: number, end: number] {
  for (let at = 0; at + 4 <= view.byteLength;) {
    const end = at + 4 + view.getUint16(at + 2, true);
    if (end > view.byteLength) break;
    if (view.getUint16(at, true) === zip64Field) return [at + 4, end];
    at = end;
  }
  return [0, 0];
}
