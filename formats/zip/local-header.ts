import type { Bytes } from '../bytes/bytes.ts';
import { nameOf, widened, type MemberFields } from './member-fields.ts';
import { ZipError } from './zip-error.ts';

const headerBytes = 30;
const headerSignature = 0x04034b50;
const usualHeader = 512;

export interface LocalHeader extends MemberFields {
  readonly name: string;
  readonly dataOffset: number;
}

/** The header before the bytes of a member (APPNOTE 4.3.7). @throws ZipError */
export async function readLocalHeader(bytes: Bytes, offset: number): Promise<LocalHeader> {
  let start = await bytes.read(offset, usualHeader);
  if (start.length < headerBytes) throw damaged();
  const view = new DataView(start.buffer, start.byteOffset, headerBytes);
  if (view.getUint32(0, true) !== headerSignature) throw damaged();
  const nameEnd = headerBytes + view.getUint16(26, true);
  const extraEnd = nameEnd + view.getUint16(28, true);
  if (extraEnd > start.length) start = await bytes.read(offset, extraEnd);
  if (extraEnd > start.length) throw damaged();
  const extra = start.subarray(nameEnd, extraEnd);
  const sizes = { size: view.getUint32(22, true), packedSize: view.getUint32(18, true), headerOffset: 0 };
  const fields = {
    flags: view.getUint16(6, true),
    method: view.getUint16(8, true),
    crc32: view.getUint32(14, true),
    rawName: start.subarray(headerBytes, nameEnd),
    extra,
    ...widened(sizes, extra),
    headerOffset: offset,
  };
  return { ...fields, name: nameOf(fields), dataOffset: offset + extraEnd };
}

function damaged(): ZipError {
  return new ZipError('a member does not lie where its directory says');
}
