import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { Entry } from 'yauzl';
import { SourceError } from '../source/source.ts';
import { openDecoder } from '../text/open-decoder.ts';

/** What tells the name of a member. */
type NamedEntry = Pick<Entry, 'fileNameRaw' | 'generalPurposeBitFlag' | 'extraFields'>;

const utf8Flag = 0x800;
const unicodePath = 0x7075;
const decodeDos = openDecoder('cp437');

/**
 * The member's name, composed (NFC), without `.` and empty segments; of a folder it ends with /. UTF-8 if it says so
 * (APPNOTE 4.4.4, bit 11, and 4.6.9), or is valid as such, as writers are careless; otherwise CP437.
 * @throws SourceError refusedZip if it could lead anywhere but into its own folder
 */
export function memberName(entry: NamedEntry): string {
  const name = decodeName(entry);
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

function decodeName({ fileNameRaw: raw, generalPurposeBitFlag, extraFields }: NamedEntry): string {
  const extra = extraFields.find(({ id }) => id === unicodePath)?.data;
  if (extra !== undefined && extra.length > 5 && extra[0] === 1 && extra.readUInt32LE(1) === crc32(raw))
    return extra.toString('utf8', 5).normalize();
  if ((generalPurposeBitFlag & utf8Flag) !== 0 || isUtf8(raw)) return raw.toString().normalize();
  return decodeDos(raw, 0, raw.length);
}

/** What operating systems leave in archives, and folders: never data. */
export function isJunk(name: string): boolean {
  return /\/$|^$|(?:^|\/)(?:__MACOSX\/|\._[^/]*$|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i.test(name);
}

function refuse(reason: string): never {
  throw new SourceError('refusedZip', `${reason}: make the zip file again from the files themselves`);
}
