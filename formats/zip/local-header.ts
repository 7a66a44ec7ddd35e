import type { Bytes } from '../bytes/bytes.ts';
import { readZip64Sizes, type MemberFields } from './member-fields.ts';
import { memberName } from './member-name.ts';
import { ZipError } from './zip-error.ts';

export const localHeaderBytes = 30;
export const localHeaderSignature = 0x04034b50;
const usualHeaderBytes = 512;

export interface LocalHeader extends MemberFields {
  readonly name: string;
  readonly dataOffset: number;
}

/**
 * The offset of the packed bytes of a member. The rest of its local header is ignored: the directory decides.
 * @throws ZipError
 */
export async function readDataOffset(bytes: Bytes, headerOffset: number): Promise<number> {
  const fixed = await bytes.read(headerOffset, localHeaderBytes);
  if (fixed.length < localHeaderBytes) throw damaged();
  const view = new DataView(fixed.buffer, fixed.byteOffset, localHeaderBytes);
  if (view.getUint32(0, true) !== localHeaderSignature) throw damaged();
  return headerOffset + localHeaderBytes + view.getUint16(26, true) + view.getUint16(28, true);
}

/** The header in front of the bytes of a member (APPNOTE 4.3.7). @throws ZipError */
export async function readLocalHeader(bytes: Bytes, offset: number): Promise<LocalHeader> {
  let start = await bytes.read(offset, usualHeaderBytes);
  if (start.length < localHeaderBytes) throw damaged();
  const view = new DataView(start.buffer, start.byteOffset, localHeaderBytes);
  if (view.getUint32(0, true) !== localHeaderSignature) throw damaged();
  const nameEnd = localHeaderBytes + view.getUint16(26, true);
  const extraEnd = nameEnd + view.getUint16(28, true);
  if (extraEnd > start.length) start = await bytes.read(offset, extraEnd);
  if (extraEnd > start.length) throw damaged();
  const extra = start.subarray(nameEnd, extraEnd);
  const sizes = { size: view.getUint32(22, true), packedSize: view.getUint32(18, true), headerOffset: 0 };
  const fields = {
    flags: view.getUint16(6, true),
    method: view.getUint16(8, true),
    crc32: view.getUint32(14, true),
    rawName: start.subarray(localHeaderBytes, nameEnd),
    extra,
    ...readZip64Sizes(sizes, extra),
    headerOffset: offset,
  };
  return { ...fields, name: memberName(fields), dataOffset: offset + extraEnd };
}

function damaged(): ZipError {
  return new ZipError('damaged', 'a member is not at its offset in the directory');
}
