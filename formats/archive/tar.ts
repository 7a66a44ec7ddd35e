import { Readable } from 'node:stream';

const blockBytes = 512;
/** The size field of ustar has 11 octal digits. */
const maxUstarBytes = 8 ** 11 - 1;

/** A file as it is packed. */
export interface TarFile {
  /** In the archive, with `/` between folders. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Anything that Date takes. */
  readonly updatedAt: string | Date;
}

export interface TarPart extends TarFile {
  /** Exactly as many as its size; a stream is destroyed also where nobody takes them. */
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/**
 * A tar archive (POSIX.1-2001, pax) of parts, yielded while their bytes are read.
 * @throws Error when a part is not as long as it said: what follows would not be found any more
 */
export async function* tarOfParts(parts: AsyncIterable<TarPart>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    try {
      yield headersOf(part);
      let left = part.size;
      for await (const bytes of part.bytes) {
        left -= bytes.length;
        yield bytes;
      }
      if (left !== 0) throw new Error(`“${part.path}” has changed while it was packed.`);
    } finally {
      if (part.bytes instanceof Readable) part.bytes.destroy();
    }
    yield padding(part.size);
  }
  yield endOfTar();
}

export function endOfTar(): Buffer {
  return Buffer.alloc(2 * blockBytes);
}

/** The ustar header, after a pax header with what does not fit into it. */
export function headersOf({ path, size, updatedAt }: TarFile): Buffer {
  const pax = [
    ...(Buffer.byteLength(path) > 100 || /[^\x20-\x7e]/.test(path) ? [record('path', path)] : []),
    ...(size > maxUstarBytes ? [record('size', String(size))] : []),
  ].join('');
  const modified = new Date(updatedAt);
  const own = header({ name: path, size: Math.min(size, maxUstarBytes), type: '0', modified });
  if (pax === '') return own;
  const bytes = Buffer.from(pax);
  const extended = header({ name: 'pax', size: bytes.length, type: 'x', modified });
  return Buffer.concat([extended, bytes, padding(bytes.length), own]);
}

/** `<length> <key>=<value>\n`, where the length counts its own digits too. */
function record(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (rest + String(length).length !== length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

interface Header {
  readonly name: string;
  readonly size: number;
  readonly type: '0' | 'x';
  readonly modified: Date;
}

function header({ name, size, type, modified }: Header): Buffer {
  const block = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  block.write(name.replace(/[^\x20-\x7e]/g, '_').slice(0, 100), 0, 'latin1');
  block.write(`${octal(0o644, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100, 'latin1');
  block.write(`${octal(size, 11)}\0`, 124, 'latin1');
  block.write(`${octal(Math.max(0, Math.floor(modified.getTime() / 1000)), 11)}\0`, 136, 'latin1');
  block.write('        ', 148, 'latin1'); // the checksum counts as blanks in itself
  block.write(`${type}`, 156, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148, 'latin1');
  return block;
}

/** What fills the last block of a file. */
export function padding(size: number): Buffer {
  return Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);
}
