import { checksumOf } from './tar-block.ts';

/** The message says what is wrong with a tar archive. */
export class TarError extends Error {
  override readonly name = 'TarError';
}

export type TarEntryType = 'file' | 'folder' | 'symbolic link' | 'hard link' | 'special file';

const types: Readonly<Record<string, TarEntryType>> = {
  '\0': 'file',
  '0': 'file',
  '7': 'file',
  '5': 'folder',
  '2': 'symbolic link',
  '1': 'hard link',
};

/** Values that replace those of the header (POSIX.1-2001); others are not kept. */
interface PaxValues {
  path?: string;
  size?: string;
}

/** The header of an entry, or of a content that describes others. */
type TarHeader = {
  /** Bytes of the content that follows, without its padding. */
  readonly size: number;
} & (
  | { readonly entry: { readonly name: string; readonly type: TarEntryType } }
  | {
      readonly entry?: never;
      /** Takes the content. @throws TarError */ readonly describe: (content: Buffer) => void;
    }
);

/** Reads the headers of one archive in their order, and applies what extended headers say of others. */
export interface TarHeaderReader {
  /** Returns undefined for a block of zeros: the end, or padding of a tape. @throws TarError */
  read(block: Buffer): TarHeader | undefined;
}

export function createTarHeaderReader(): TarHeaderReader {
  const common: PaxValues = {};
  let next: PaxValues = {};
  return {
    read(block) {
      const checksum = checksumOf(block);
      if (checksum === 8 * 0x20) return undefined;
      if (checksum !== readNumber(block, 148, 8)) throw new TarError('A header is damaged.');
      const type = String.fromCharCode(block[156]!);
      if (type in metaTypes) {
        const describe = (content: Buffer) => {
          const values = metaTypes[type as keyof typeof metaTypes](content);
          Object.assign(type === 'g' ? common : next, values);
        };
        return { size: readNumber(block, 124, 12), describe };
      }
      const { path, size } = { ...common, ...next };
      next = {};
      const name = path ?? nameOf(block);
      return { size: sizeOf(block, size), entry: { name, type: typeOf(type, name) } };
    },
  };
}

export const cutOff = () => new TarError('The archive is cut off.');

/** Entries that describe the next one, or all that follow. */
const metaTypes = {
  x: readPax,
  g: readPax,
  L: (content: Buffer): PaxValues => ({ path: textOf(content) }),
  K: (): PaxValues => ({}), // the target of a link
};

/** Old archives mark folders by their name alone. */
function typeOf(type: string, name: string): TarEntryType {
  const known = types[type] ?? 'special file';
  return known === 'file' && name.endsWith('/') ? 'folder' : known;
}

function nameOf(header: Buffer): string {
  const name = textOf(header.subarray(0, 100));
  const isUstar = header.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isUstar ? textOf(header.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function sizeOf(header: Buffer, size: string | undefined): number {
  if (size === undefined) return readNumber(header, 124, 12);
  if (!/^\d{1,15}$/.test(size)) throw new TarError('A header is damaged.');
  return Number(size);
}

/** Octal digits, or a binary number behind a byte 0x80 for what does not fit, as GNU tar writes it. */
function readNumber(header: Buffer, start: number, length: number): number {
  if (header[start] === 0x80) return Number(header.readBigUInt64BE(start + length - 8));
  const digits = textOf(header.subarray(start, start + length)).trim();
  if (!/^[0-7]*$/.test(digits)) throw new TarError('A header is damaged.');
  return Number.parseInt(digits || '0', 8);
}

function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
}

/** Records of `<length> <key>=<value>\n`, where the length counts all of the record. */
function readPax(content: Buffer): PaxValues {
  const values: PaxValues = {};
  for (let at = 0; at < content.length;) {
    const blank = content.indexOf(0x20, at);
    const digits = content.toString('latin1', at, blank);
    const end = at + Number(digits);
    const equals = content.indexOf(0x3d, blank);
    const isWhole = blank >= 0 && /^\d{1,10}$/.test(digits) && equals > blank && end > equals;
    if (!isWhole || end > content.length || content[end - 1] !== 0x0a)
      throw new TarError('An extended header is damaged.');
    const key = content.toString('utf8', blank + 1, equals);
    if (key === 'path' || key === 'size') values[key] = content.toString('utf8', equals + 1, end - 1);
    at = end;
  }
  return values;
}
