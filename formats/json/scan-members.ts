/** Where and why a scan ended. */
export interface MemberScan {
  /** Behind what was scanned; where it stopped, if it did. */
  readonly at: number;
  /** `cutOff`: the text ends in the middle; `broken`: it is not valid JSON at `at`; `stopped` by the visitor. */
  readonly state: 'whole' | 'cutOff' | 'broken' | 'stopped';
}

/** A member of an object: its name, and where its value stands. false: that is enough. */
export type VisitMember = (name: string, start: number, end: number) => boolean | void;

const quote = 34;
const comma = 44;
const colon = 58;
const backslash = 92;
const openBrace = 123;
const closeBrace = 125;
const closeBracket = 93;
const maxNameLength = 2000;

export function skipSpace(bytes: Uint8Array, at: number): number {
  let byte = bytes[at];
  while (byte === 32 || byte === 10 || byte === 13 || byte === 9 || byte === 30) byte = bytes[++at];
  return at;
}

/**
 * Scans the members of the object that begins at `at` without building a tree, so it also works in files that are
 * truncated or too large to parse. In values, only brackets and strings are checked.
 * @param onCut receives the member in whose value the text ends
 */
export function scanMembers(
  bytes: Uint8Array,
  at: number,
  visit: VisitMember,
  onCut?: (name: string, start: number) => void,
): MemberScan {
  at = skipSpace(bytes, at);
  if (at >= bytes.length) return { at, state: 'cutOff' };
  if (bytes[at] !== openBrace) return { at, state: 'broken' };
  at = skipSpace(bytes, at + 1);
  if (bytes[at] === closeBrace) return { at: at + 1, state: 'whole' };
  for (;;) {
    at = skipSpace(bytes, at);
    if (at >= bytes.length) return { at, state: 'cutOff' };
    if (bytes[at] !== quote) return { at, state: 'broken' };
    const nameEnd = skipString(bytes, at);
    if (nameEnd < 0) return { at, state: 'cutOff' };
    const name = textAt(bytes, at, nameEnd);
    at = skipSpace(bytes, nameEnd);
    if (at >= bytes.length) return { at, state: 'cutOff' };
    if (bytes[at] !== colon || name === undefined) return { at, state: 'broken' };
    const start = skipSpace(bytes, at + 1);
    const end = skipValue(bytes, start);
    if (end < 0) {
      onCut?.(name, start);
      return { at: start, state: 'cutOff' };
    }
    if (end === start) return { at: start, state: 'broken' };
    if (visit(name, start, end) === false) return { at: end, state: 'stopped' };
    at = skipSpace(bytes, end);
    if (at >= bytes.length) return { at, state: 'cutOff' };
    if (bytes[at] === closeBrace) return { at: at + 1, state: 'whole' };
    if (bytes[at] !== comma) return { at, state: 'broken' };
    at++;
  }
}

/**
 * @returns the position behind the value that begins at `at`; -1 if the text ends within it, `at` if there is no value
 */
export function skipValue(bytes: Uint8Array, at: number): number {
  if (at >= bytes.length) return -1;
  const first = bytes[at]!;
  if (first === quote) return skipString(bytes, at);
  if (first !== openBrace && first !== 91) return skipScalar(bytes, at);
  let depth = 0;
  for (let i = at; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === quote) {
      const end = skipString(bytes, i);
      if (end < 0) return -1;
      i = end - 1;
    } else if (byte === openBrace || byte === 91) depth++;
    else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) return i + 1;
  }
  return -1;
}

function skipScalar(bytes: Uint8Array, start: number): number {
  let at = start;
  for (; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === comma || byte === closeBrace || byte === closeBracket || byte <= 32) return at;
  }
  return -1;
}

function skipString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === backslash) at++;
    else if (byte === quote) return at + 1;
  }
  return -1;
}

function textAt(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (end - start > maxNameLength) return '';
  const value = parseAt(bytes, start, end);
  return typeof value === 'string' ? value : undefined;
}

/** The value at this position; undefined if it is not valid JSON. */
export function parseAt(bytes: Uint8Array, start: number, end: number): unknown {
  try {
    return JSON.parse(
      Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8'),
    ) as unknown;
  } catch {
    return undefined;
  }
}
