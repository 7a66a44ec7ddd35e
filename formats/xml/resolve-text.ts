import { isUtf8 } from 'node:buffer';
import { SourceError } from '../source/source.ts';
import { decodeEntities } from './decode-entities.ts';
import { fault, needMore } from './xml-fault.ts';
import type { XmlWindow } from './xml-window.ts';

const lessThan = 60;
const replacement = '\ufffd';

export interface ResolvedText {
  readonly text: string;
  /** The `<` of the tag that ends it. */
  readonly end: number;
}

/** Text from `start` to the next tag, references and CDATA resolved, comments and instructions omitted. */
export function resolveText(window: XmlWindow, start: number): ResolvedText {
  const { bytes } = window;
  let text = '';
  let at = start;
  for (;;) {
    const from = at;
    while (bytes[at] !== lessThan) at++;
    if (at + 1 >= window.end) throw needMore;
    if (at > from) text += resolveReferences(window, from, at);
    const next = bytes[at + 1];
    if (next !== 33 && next !== 63) return { text, end: at };
    const after = skipMarkup(window, at);
    if (startsWith(window, at, '<![CDATA['))
      text += decodeText(window, { bytes, start: at + 9, end: after - 3 });
    at = after;
  }
}

/** @param at the `<` of a comment, an instruction or CDATA @returns what follows it */
export function skipMarkup(window: XmlWindow, at: number): number {
  if (window.bytes[at + 1] === 63) return behind(window, at + 2, '?>');
  if (startsWith(window, at, '<!--')) return behind(window, at + 4, '-->');
  if (startsWith(window, at, '<![CDATA[')) return behind(window, at + 9, ']]>');
  if (startsWith(window, at, '<!DOCTYPE')) {
    if (window.isLenient) return skipDoctype(window, at);
    throw new SourceError(
      'unsupported',
      'the file has a DOCTYPE, which is refused because it could expand without limit: remove it',
      window.placeOf(at),
    );
  }
  return fault(window, at, '"<!" begins neither a comment nor CDATA');
}

export function resolveReferences(window: XmlWindow, start: number, end: number): string {
  const text = decodeText(window, { bytes: window.bytes, start, end });
  if (!text.includes('&')) return text;
  const decoded = decodeEntities(text, window.isLenient);
  if ('text' in decoded) return decoded.text;
  return fault(window, start, `the reference ${JSON.stringify(decoded.unknown)} is unknown`);
}

export interface TextRange {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Bytes that are not UTF-8 become U+FFFD, and are recorded. */
export function decodeText(window: XmlWindow, { bytes, start, end }: TextRange): string {
  const text = bytes.toString('utf8', start, end);
  if (text.includes(replacement) && !isUtf8(bytes.subarray(start, end))) window.badText = true;
  return text;
}

/** A DOCTYPE ends at the first > that is neither quoted nor between its brackets. */
function skipDoctype(window: XmlWindow, start: number): number {
  const { bytes, end } = window;
  let isInside = false;
  for (let at = start + 9; at < end; at++) {
    const character = String.fromCharCode(bytes[at]!);
    if (character === '"' || character === "'") at = behind(window, at + 1, character) - 1;
    else if (character === '<' && bytes[at + 1] === 33 && bytes[at + 2] === 45)
      at = behind(window, at + 4, '-->') - 1;
    else if (character === '[' || character === ']') isInside = character === '[';
    else if (character === '>' && !isInside) return at + 1;
  }
  throw needMore;
}

function behind(window: XmlWindow, from: number, closing: string): number {
  const found = window.bytes.indexOf(closing, from, 'latin1');
  // Bytes behind the end of the window are stale.
  if (found < 0 || found + closing.length > window.end) throw needMore;
  return found + closing.length;
}

/** Throws needMore if the window is too short. */
function startsWith(window: XmlWindow, at: number, prefix: string): boolean {
  for (let i = 0; i < prefix.length; i++) {
    if (at + i >= window.end) throw needMore;
    if (window.bytes[at + i] !== prefix.charCodeAt(i)) return false;
  }
  return true;
}
