import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { openDecoder } from '../text/open-decoder.ts';
import { ZipError } from './zip-error.ts';

/** The fields of a record or a local header that give the name of a member. */
export interface NameFields {
  readonly rawName: Uint8Array;
  readonly extra: Uint8Array;
  /** The general purpose bit flags (APPNOTE 4.4.4). */
  readonly flags: number;
}

export const utf8Flag = 0x800;
const unicodePathField = 0x7075;
const decodeDos = openDecoder('cp437');

/**
 * The name in NFC, without `.` and empty segments; the name of a folder ends with /. It is read as UTF-8 when the flags
 * or an extra field say so (APPNOTE 4.4.4, bit 11, and 4.6.9), and also when it is valid UTF-8, because many writers
 * omit the flag; otherwise as CP437.
 * @throws ZipError `refused` for a name that could lead out of its own folder
 */
export function memberName({ rawName, extra, flags }: NameFields): string {
  const raw = Buffer.from(rawName.buffer, rawName.byteOffset, rawName.length);
  return isPlain(rawName) ? raw.toString('latin1') : normalise(decodeName(raw, extra, flags));
}

function normalise(name: string): string {
  const quoted = JSON.stringify(name.slice(0, 100));
  // oxlint-disable-next-line no-control-regex -- these are what is refused
  if (/[\0-\x1f\x7f]/.test(name)) refuse(`the name ${quoted} contains a control character`);
  if (name.includes('\\')) refuse(`the name ${quoted} contains a backslash`);
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) refuse(`the name ${quoted} is absolute`);
  const segments = name.split('/');
  if (segments.includes('..')) refuse(`the name ${quoted} leads out of its folder`);
  const folder = name.endsWith('/') ? '/' : '';
  return segments.filter((segment) => segment !== '' && segment !== '.').join('/') + folder;
}

function decodeName(raw: Buffer, extra: Uint8Array, flags: number): string {
  const unicode = unicodePath(raw, extra);
  if (unicode !== undefined) return unicode.normalize();
  if ((flags & utf8Flag) !== 0 || isUtf8(raw)) return raw.toString().normalize();
  return decodeDos(raw, 0, raw.length);
}

/** The content of the Info-ZIP Unicode Path field, if it belongs to this very name. */
function unicodePath(raw: Buffer, extra: Uint8Array): string | undefined {
  const fields = Buffer.from(extra.buffer, extra.byteOffset, extra.length);
  for (let at = 0; at + 4 <= fields.length;) {
    const start = at + 4;
    const end = start + fields.readUInt16LE(at + 2);
    if (end > fields.length) break;
    if (fields.readUInt16LE(at) === unicodePathField) {
      const isValid = end - start > 5 && fields[start] === 1 && fields.readUInt32LE(start + 1) === crc32(raw);
      return isValid ? fields.toString('utf8', start + 5, end) : undefined;
    }
    at = end;
  }
  return undefined;
}

const slash = 0x2f;
const dot = 0x2e;
const colon = 0x3a;
const backslash = 0x5c;

/**
 * Whether a name is printable ASCII that needs no change and is not refused. Archives have such names by the million.
 */
export function isPlain(name: Uint8Array): boolean {
  if (name.length === 0 || name[0] === slash || name[1] === colon) return false;
  for (let i = 0; i < name.length; i++) {
    const byte = name[i]!;
    if (byte < 0x20 || byte > 0x7e || byte === backslash) return false;
    const startsSegment = i === 0 || name[i - 1] === slash;
    if (startsSegment && (byte === dot || byte === slash)) return false;
  }
  return true;
}

/** Whether the name is a folder's, or that of a file that operating systems add to archives: never data. */
export function isJunk(name: string): boolean {
  return /\/$|^$|(?:^|\/)(?:__MACOSX\/|\._[^/]*$|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i.test(name);
}

function refuse(reason: string): never {
  throw new ZipError('refused', `${reason}: create the zip file again`);
}
