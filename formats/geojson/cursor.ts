/** A place in a window of bytes. The byte at `end` is always 0, so that loops need not test for the end. */
export interface Cursor {
  bytes: Buffer;
  at: number;
  end: number;
}

/** Thrown where the window ends before the value does; the caller reads on and begins the value again. */
export const needMore = new Error('the window ends here');

/** The text is not JSON; `at` is the offending byte in the window. */
export class SyntaxFault extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** Throws the fault for the byte at `at`: needMore at the end, otherwise a syntax fault. */
export function fault({ bytes, end }: Cursor, at: number, expected: string): never {
  if (at >= end) throw needMore;
  const byte = bytes[at]!;
  const found = byte > 32 && byte < 127 ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16)}`;
  throw new SyntaxFault(`${expected} expected, found ${found}`, at);
}

/** Moves to the next byte other than white space, and returns it; 0 at the end of the window. */
export function skipSpace(cursor: Cursor): number {
  const { bytes } = cursor;
  let at = cursor.at;
  let byte = bytes[at]!;
  while (byte === 32 || byte === 10 || byte === 13 || byte === 9) byte = bytes[++at]!;
  cursor.at = at;
  return byte;
}

/** Like skipSpace, but throws at the end of the window. */
export function nextToken(cursor: Cursor): number {
  const byte = skipSpace(cursor);
  if (byte === 0 && cursor.at >= cursor.end) throw needMore;
  return byte;
}

export function expectByte(cursor: Cursor, byte: number): void {
  if (nextToken(cursor) !== byte) fault(cursor, cursor.at, `"${String.fromCharCode(byte)}"`);
  cursor.at++;
}

/** At an opening quote: moves behind the closing one. */
export function skipString(cursor: Cursor): void {
  const { bytes, end } = cursor;
  let at = cursor.at + 1;
  for (;;) {
    const byte = bytes[at]!;
    if (byte === 34) break;
    if (byte === 92) at += 2;
    else if (byte < 32) {
      if (at >= end) throw needMore;
      throw new SyntaxFault('a string contains a control character or is not closed', at);
    } else at++;
    if (at > end) throw needMore;
  }
  cursor.at = at + 1;
}

/** Moves behind the value, whatever it is. Only strings and brackets are checked. */
export function skipValue(cursor: Cursor): void {
  const first = nextToken(cursor);
  if (first === 34) return skipString(cursor);
  if (first !== 123 && first !== 91) return skipScalar(cursor);
  const { bytes, end } = cursor;
  let depth = 0;
  for (;;) {
    const byte = bytes[cursor.at]!;
    if (byte === 34) {
      skipString(cursor);
      continue;
    }
    if (byte === 123 || byte === 91) depth++;
    else if (byte === 125 || byte === 93) depth--;
    else if (byte === 0 && cursor.at >= end) throw needMore;
    cursor.at++;
    if (depth === 0) return;
  }
}

/** Like skipValue, but refuses invalid JSON. Slow for large values. */
export function skipJson(cursor: Cursor): void {
  const start = cursor.at;
  skipValue(cursor);
  try {
    JSON.parse(cursor.bytes.toString('latin1', start, cursor.at));
  } catch (error) {
    throw new SyntaxFault((error as Error).message, start);
  }
}

function skipScalar(cursor: Cursor): void {
  const { bytes, end } = cursor;
  const start = cursor.at;
  let at = start;
  for (;;) {
    const byte = bytes[at]!;
    const letter = byte | 32;
    const part =
      (letter >= 97 && letter <= 122) ||
      (byte >= 48 && byte <= 57) ||
      byte === 43 ||
      byte === 45 ||
      byte === 46;
    if (!part) break;
    at++;
  }
  if (at >= end) throw needMore;
  if (at === start) fault(cursor, at, 'a value');
  cursor.at = at;
}
