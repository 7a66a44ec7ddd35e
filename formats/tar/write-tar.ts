import { Readable } from 'node:stream';
import { blockBytes, checksumOf, paddingBytes } from './tar-block.ts';

/** The size field of ustar has 11 octal digits. */
const maxUstarBytes = 8 ** 11 - 1;

/** The header fields of a file. */
export interface TarFile {
  /** Path in the archive, with `/` between folders. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Anything that Date takes. */
  readonly updatedAt: string | Date;
}

export interface TarPart extends TarFile {
  /** Exactly `size` bytes. A stream is destroyed even if it is not read. */
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/**
 * Writes a tar archive (POSIX.1-2001, pax) of parts as their bytes are read; a part in memory is one chunk.
 * @throws Error if a part is not as long as it says: the archive cannot be continued
 */
export async function* writeTar(parts: AsyncIterable<TarPart>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    const { bytes, size } = part;
    if (bytes instanceof Uint8Array) {
      if (bytes.length !== size) throw changed(part);
      yield Buffer.concat(encodeTarFile(part, bytes));
      continue;
    }
    try {
      yield encodeTarHeader(part);
      let left = size;
      for await (const chunk of bytes) {
        left -= chunk.length;
        yield chunk;
      }
      if (left !== 0) throw changed(part);
    } finally {
      if (bytes instanceof Readable) bytes.destroy();
    }
    yield zeroPadding(size);
  }
  yield tarEnd;
}

/** The blocks of zeros that end an archive. */
export const tarEnd: Uint8Array = Buffer.alloc(2 * blockBytes);

/** A file with its header and padding. */
export function encodeTarFile(file: TarFile, bytes: Uint8Array): Uint8Array[] {
  return [encodeTarHeader(file), bytes, zeroPadding(file.size)];
}

const changed = ({ path }: TarFile) => new Error(`“${path}” changed while it was being packed.`);

/** @param type the type flag of ustar: a file by default */
export function encodeTarHeader({ path, size, updatedAt }: TarFile, type = '0'): Buffer {
  const pax = [
    ...(Buffer.byteLength(path) > 100 || /[^\x20-\x7e]/.test(path) ? [encodeRecord('path', path)] : []),
    ...(size > maxUstarBytes ? [encodeRecord('size', String(size))] : []),
  ].join('');
  const modified = new Date(updatedAt);
  const own = encodeBlock({ name: path, size: Math.min(size, maxUstarBytes), type, modified });
  if (pax === '') return own;
  const bytes = Buffer.from(pax);
  const extended = encodeBlock({ name: 'pax', size: bytes.length, type: 'x', modified });
  return Buffer.concat([extended, bytes, zeroPadding(bytes.length), own]);
}

/** A pax record, `<length> <key>=<value>\n`, where the length counts its own digits too. */
function encodeRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (rest + String(length).length !== length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

interface HeaderFields {
  readonly name: string;
  readonly size: number;
  readonly type: string;
  readonly modified: Date;
}

function encodeBlock({ name, size, type, modified }: HeaderFields): Buffer {
  const block = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  block.write(name.replace(/[^\x20-\x7e]/g, '_').slice(0, 100), 0, 'latin1');
  block.write(`${octal(0o644, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100, 'latin1');
  block.write(`${octal(size, 11)}\0`, 124, 'latin1');
  block.write(`${octal(Math.max(0, Math.floor(modified.getTime() / 1000)), 11)}\0`, 136, 'latin1');
  block.write(type, 156, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  block.write(`${octal(checksumOf(block), 6)}\0 `, 148, 'latin1');
  return block;
}

function zeroPadding(size: number): Buffer {
  return Buffer.alloc(paddingBytes(size));
}
