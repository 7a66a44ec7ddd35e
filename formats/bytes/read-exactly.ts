import { BytesError, type Bytes } from './bytes.ts';

/** @throws BytesError where the file ends before */
export async function readExactly(bytes: Bytes, offset: number, length: number): Promise<Uint8Array> {
  const isWhole = [offset, length, offset + length].every(Number.isSafeInteger);
  if (!isWhole || offset < 0 || length < 0) throw new BytesError('one of its offsets is damaged');
  // asking for what cannot be there would take memory for it
  const found = offset + length <= bytes.size ? await bytes.read(offset, length) : new Uint8Array(0);
  if (found.length !== length) throw new BytesError('it is cut off');
  return found;
}

/**
 * The same into given memory, or into other memory where the file cannot do that.
 * @param memoryOf called for memory of a length if the bytes can be there @throws BytesError
 */
export async function readExactlyInto(
  bytes: Bytes,
  offset: number,
  length: number,
  memoryOf: (length: number) => Uint8Array,
): Promise<Uint8Array> {
  const isWithin = Number.isSafeInteger(offset) && offset >= 0 && offset + length <= bytes.size;
  if (!isWithin || bytes.readInto === undefined) return readExactly(bytes, offset, length);
  const target = memoryOf(length);
  if (bytes.readInto(offset, target) !== length) throw new BytesError('it is cut off');
  return target;
}

export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
