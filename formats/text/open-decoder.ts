import { isAscii, isUtf8 } from 'node:buffer';
import { SourceError } from '../source/source.ts';
import { codePages } from './code-pages.ts';

/** The text of bytes `start` to `end`. */
export type Decode = (bytes: Buffer, start: number, end: number) => string;

/**
 * @param label of TextDecoder, or cp437, cp850, cp852; where nothing is known, each text is taken as UTF-8 if it
 *   is valid as such, and as windows-1252 otherwise: no text of that by chance looks like UTF-8
 * @throws SourceError unknownEncoding
 */
export function openDecoder(label: string | undefined): Decode {
  if (label === undefined) return decodeGuessing;
  const page = codePages[label.toLowerCase().replace(/^(?:ibm|oem)[- ]?/, 'cp')];
  if (page !== undefined) return (bytes, start, end) => decodePage(bytes.subarray(start, end), page);
  const decoder = textDecoder(label);
  if (decoder === undefined) {
    throw new SourceError(
      'unknownEncoding',
      `the character set "${label}" is unknown: name one such as UTF-8, windows-1252 or ISO-8859-15`,
    );
  }
  if (decoder.encoding === 'utf-8') return (bytes, start, end) => bytes.toString('utf8', start, end);
  return (bytes, start, end) => decoder.decode(bytes.subarray(start, end));
}

export function isKnownEncoding(label: string): boolean {
  return codePages[label] !== undefined || textDecoder(label) !== undefined;
}

/** @returns undefined if the label is unknown */
function textDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

const windows1252 = new TextDecoder('windows-1252');

function decodeGuessing(bytes: Buffer, start: number, end: number): string {
  const text = bytes.subarray(start, end);
  if (isUtf8(text)) return text.toString();
  // Columns of a fixed width cut characters off. A lone one at the end may as well be an é of windows-1252.
  const whole = text.subarray(0, wholeLength(text));
  return !isAscii(whole) && isUtf8(whole) ? whole.toString() : windows1252.decode(text);
}

/** The length up to which no character of UTF-8 is cut off. */
function wholeLength(bytes: Uint8Array): number {
  const length = bytes.length;
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back]!;
    if (byte < 0x80) return length;
    // A first byte says how many there are: 110…, 1110…, 11110….
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? length - back : length;
  }
  return length;
}

function decodePage(bytes: Uint8Array, page: string): string {
  let text = '';
  for (const byte of bytes) text += byte < 128 ? String.fromCharCode(byte) : page[byte - 128];
  return text;
}
