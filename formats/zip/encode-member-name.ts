import { memberName, utf8Flag } from './member-name.ts';
import { ZipError } from './zip-error.ts';

/** The name as bytes. @throws TypeError for names that readers refuse or change */
export function encodeMemberName(name: string): Buffer {
  const rawName = Buffer.from(name);
  const fault = faultOf(name, rawName);
  if (fault === undefined) return rawName;
  throw new TypeError(`${JSON.stringify(name.slice(0, 100))} cannot be the name of a member: ${fault}.`);
}

function faultOf(name: string, rawName: Buffer): string | undefined {
  if (rawName.length === 0) return 'it is empty';
  if (rawName.length > 0xffff) return 'it is longer than 65,535 bytes';
  if (isKept(name, rawName)) return undefined;
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'it is absolute';
  if (name.split('/').includes('..')) return 'it leads out of its folder';
  if (name !== name.normalize()) return 'it is not in Unicode NFC';
  return 'it contains a backslash, a control character, or a segment that is empty or a dot';
}

/** Whether a reader returns exactly this name. */
function isKept(name: string, rawName: Buffer): boolean {
  try {
    return memberName({ rawName, extra: Buffer.alloc(0), flags: utf8Flag }) === name;
  } catch (error) {
    if (error instanceof ZipError) return false;
    throw error;
  }
}
