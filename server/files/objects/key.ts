import { invalidAt } from '../../base/failure.ts';

const maxKeyBytes = 1024;
const maxSegmentBytes = 255;
// eslint-disable-next-line no-control-regex -- it matches control characters on purpose
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * The key of a file as it is stored: NFC, without a leading `/`. A key is data and never becomes a path of this
 * machine, but the rules keep it usable as a path elsewhere.
 * @throws Failure `invalid` with the reason
 */
export function keyOf(raw: string, pointer = 'key'): string {
  const key = raw.replace(/^\//, '').normalize('NFC');
  const problem = problemOfKey(key);
  if (problem !== undefined) throw invalidAt(pointer, problem, 'key');
  return key;
}

/** The key of a folder ends in `/`, also when it was sent without. */
export function folderKeyOf(raw: string, pointer = 'key'): string {
  return `${keyOf(raw.replace(/\/$/, ''), pointer)}/`;
}

/** The last segment of a key; of a folder without the slash. */
export const nameOf = (key: string): string => key.replace(/\/$/, '').split('/').at(-1)!;

/** The same for names that come by address: undefined when no stored key can look like that. */
export function usableKey(raw: string): string | undefined {
  const key = raw.normalize('NFC');
  return problemOfKey(key) === undefined ? key : undefined;
}

/** The problem with a key as a sentence; undefined if it is valid. */
export function problemOfKey(key: string): string | undefined {
  if (!key.isWellFormed()) return 'A lone surrogate is not valid Unicode.';
  if (key === '') return 'A key must not be empty.';
  if (controlCharacters.test(key)) return 'Control characters are not allowed in a key.';
  if (key.includes('\\')) return 'Backslashes are not allowed in a key: folders are separated by /.';
  if (Buffer.byteLength(key) > maxKeyBytes) return `A key may have at most ${maxKeyBytes} bytes.`;
  for (const segment of key.split('/')) {
    if (segment === '') return 'A key must not contain empty segments.';
    if (segment === '.' || segment === '..') return 'The segments . and .. are not allowed in a key.';
    if (Buffer.byteLength(segment) > maxSegmentBytes)
      return `A segment of a key may have at most ${maxSegmentBytes} bytes.`;
  }
  return undefined;
}

/** The folder of a file: its key up to and including the last `/`; empty at the root of the bucket. */
export function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/') + 1);
}
