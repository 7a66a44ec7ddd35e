import { memberName } from '../archive/member-name.ts';
import { SourceError } from '../source/source.ts';
import { safeParts } from './read-end.ts';
import { ZipError } from './zip-error.ts';
import type { ZipMember, ZipPacking } from './zip-member.ts';

/** What a record of the central directory and a local header have in common (APPNOTE 4.3.7 and 4.3.12). */
export interface MemberFields {
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  readonly packedSize: number;
  readonly size: number;
  readonly rawName: Uint8Array;
  readonly extra: Uint8Array;
  /** 0 in local headers. */
  readonly headerOffset: number;
}

const encryptedFlags = 0x2041;
const sizesFollowFlag = 0x8;
const packings: Readonly<Record<number, ZipPacking>> = { 0: 'stored', 8: 'deflate', 93: 'zstd' };
/** DEFLATE reaches 1032; Zstandard may reach more, but no data does. */
const mostTimes = 1100;
const repeatedBytes = 1 << 20;

/** Its sizes stand behind its bytes, not before them. */
export function sizesFollow({ flags }: MemberFields): boolean {
  return (flags & sizesFollowFlag) !== 0;
}

/** @throws ZipError for what is encrypted, packed in another way, claims what cannot be, or has a name that leads elsewhere */
export function memberOf(fields: MemberFields): ZipMember {
  const name = nameOf(fields);
  const { flags, method, crc32, headerOffset, packedSize, size } = fields;
  if ((flags & encryptedFlags) !== 0)
    throw new ZipError(`its member "${name}" is encrypted: pack it without a password`);
  const packing = packings[method];
  if (packing === undefined)
    throw new ZipError(`its member "${name}" is packed by method ${method}: use the usual one, Deflate`);
  if (packing === 'stored' ? size !== packedSize : size > packedSize * mostTimes + repeatedBytes)
    throw new ZipError(`its member "${name}" claims a size that it cannot have`);
  return { name, packing, size, packedSize, crc32, headerOffset };
}

/** @throws ZipError */
export function nameOf({ rawName, extra, flags }: MemberFields): string {
  if (isPlain(rawName))
    return Buffer.from(rawName.buffer, rawName.byteOffset, rawName.length).toString('latin1');
  try {
    const fileNameRaw = Buffer.from(rawName.buffer, rawName.byteOffset, rawName.length);
    return memberName({ fileNameRaw, generalPurposeBitFlag: flags, extraFields: extraFields(extra) });
  } catch (error) {
    if (error instanceof SourceError) throw new ZipError(error.message, { cause: error });
    throw error;
  }
}

/** Sizes and places above 4 GiB stand in an extra field (APPNOTE 4.5.3), in this order. @throws ZipError */
export function widened(
  { size, packedSize, headerOffset }: { size: number; packedSize: number; headerOffset: number },
  extra: Uint8Array,
): { size: number; packedSize: number; headerOffset: number } {
  const isWide = (value: number) => value === 0xffffffff;
  if (!isWide(size) && !isWide(packedSize) && !isWide(headerOffset))
    return { size, packedSize, headerOffset };
  const view = new DataView(extra.buffer, extra.byteOffset, extra.length);
  let [at, end] = wideField(view);
  const next = (value: number): number => {
    if (!isWide(value)) return value;
    at += 8;
    if (at > end) throw new ZipError('a size in its directory is missing');
    return safeParts(view.getUint32(at - 8, true), view.getUint32(at - 4, true));
  };
  return { size: next(size), packedSize: next(packedSize), headerOffset: next(headerOffset) };
}

/** Where the content of the field lies that holds sizes of 64 bits; nowhere, where there is none. */
function wideField(view: DataView): [start: number, end: number] {
  for (let at = 0; at + 4 <= view.byteLength;) {
    const end = at + 4 + view.getUint16(at + 2, true);
    if (end > view.byteLength) break;
    if (view.getUint16(at, true) === 1) return [at + 4, end];
    at = end;
  }
  return [0, 0];
}

function extraFields(extra: Uint8Array): { id: number; data: Buffer }[] {
  const bytes = Buffer.from(extra.buffer, extra.byteOffset, extra.length);
  const fields: { id: number; data: Buffer }[] = [];
  for (let at = 0; at + 4 <= bytes.length;) {
    const length = bytes.readUInt16LE(at + 2);
    if (at + 4 + length > bytes.length) break;
    fields.push({ id: bytes.readUInt16LE(at), data: bytes.subarray(at + 4, at + 4 + length) });
    at += 4 + length;
  }
  return fields;
}

const slash = 0x2f;
const dot = 0x2e;
const colon = 0x3a;
const backslash = 0x5c;

/** Printable ASCII without anything that `memberName` would change or refuse: nearly all names, by the million. */
function isPlain(name: Uint8Array): boolean {
  if (name.length === 0 || name[0] === slash || name[1] === colon) return false;
  for (let i = 0; i < name.length; i++) {
    const byte = name[i]!;
    if (byte < 0x20 || byte > 0x7e || byte === backslash) return false;
    const startsSegment = i === 0 || name[i - 1] === slash;
    if (startsSegment && (byte === dot || byte === slash)) return false;
  }
  return true;
}
