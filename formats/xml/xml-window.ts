import { SourceError } from '../source/source.ts';

/** Bytes from 0, lines from 1, of the text as the window is given it; no bytes where the file's are others. */
export interface XmlPlace {
  readonly line: number;
  readonly byte?: number;
}

/** The part of the text in memory. The byte at `end` is always `<`, so that loops need not test for the end. */
export interface XmlWindow {
  /** See ReadXmlOptions. */
  readonly isLenient: boolean;
  readonly bytes: Buffer;
  readonly end: number;
  /** Index of the next tag or text; advanced by the parser. */
  at: number;
  /** A feature begins here: if it is longer than permitted, it is refused. Until `release`. */
  hold(at: number): void;
  release(): void;
  /** Place of the held feature. */
  heldPlace(): XmlPlace;
  /** Discards bytes before `at` and reads more; false at the end of the text. @throws SourceError featureTooLarge */
  fill(): Promise<boolean>;
  placeOf(at: number): XmlPlace;
  offsetOf(at: number): number;
  /** Ends the chunks, however far they were read. */
  close(): Promise<void>;
  /** Some text was not valid UTF-8. Set by the decoder, cleared by the reporter. */
  badText: boolean;
}

const lessThan = 60;
const minWindowBytes = 1 << 20;

export interface WindowOptions {
  readonly maxBytes: number;
  readonly hasBytes: boolean;
  readonly isLenient: boolean;
  readonly onFill: (offset: number) => void;
}

export function createXmlWindow(
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes, hasBytes, isLenient, onFill }: WindowOptions,
): XmlWindow {
  const source = chunks[Symbol.asyncIterator]();
  let passedBytes = 0;
  let passedLines = 0;
  let ended = false;
  let heldFrom: number | undefined;
  /** Known once its line has left the window. */
  let held: XmlPlace | undefined;
  const placeOf = (at: number): XmlPlace => ({
    line: passedLines + countLines(window.bytes, at) + 1,
    ...(hasBytes && { byte: passedBytes + at }),
  });
  const window = {
    isLenient,
    // not filled with zeros, as all that counts is read over
    bytes: Buffer.allocUnsafeSlow(minWindowBytes),
    end: 0,
    at: 0,
    badText: false,
    async fill(): Promise<boolean> {
      const open = window.end - window.at;
      if (heldFrom !== undefined) held ??= placeOf(heldFrom - passedBytes);
      passedLines += countLines(window.bytes, window.at);
      passedBytes += window.at;
      window.bytes.copyWithin(0, window.at, window.end);
      window.at = 0;
      window.end = open;
      if (passedBytes + open - (heldFrom ?? passedBytes) > maxBytes) {
        throw new SourceError(
          'featureTooLarge',
          `an element needs more than ${Math.round(maxBytes / 2 ** 20)} MB of memory`,
          { line: held?.line ?? passedLines + 1 },
        );
      }
      // Doubling the window means that restarting a text costs no more than reading it twice.
      const byteCount = Math.max(minWindowBytes / 2, open * 2);
      while (!ended && window.end < byteCount) {
        const next = await source.next();
        if (next.done === true) ended = true;
        else append(next.value);
      }
      window.bytes[window.end] = lessThan;
      onFill(passedBytes + open);
      return window.end > open;
    },
    hold(at: number): void {
      heldFrom = passedBytes + at;
      held = undefined;
    },
    release(): void {
      heldFrom = undefined;
      held = undefined;
    },
    heldPlace: (): XmlPlace => held ?? placeOf((heldFrom ?? passedBytes) - passedBytes),
    placeOf,
    offsetOf: (at: number): number => passedBytes + at,
    close: async (): Promise<void> => void (await source.return?.()),
  };
  const append = (chunk: Uint8Array): void => {
    const needed = window.end + chunk.length + 1;
    if (needed > window.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, window.bytes.length * 2));
      window.bytes.copy(larger, 0, 0, window.end);
      window.bytes = larger;
    }
    window.bytes.set(chunk, window.end);
    window.end += chunk.length;
  };
  return window;
}

/** Four bytes at a time: it passes over every byte of every file. */
function countLines(bytes: Buffer, until: number): number {
  let lines = 0;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, until >> 2);
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const zero = word ^ 0x0a0a0a0a;
    // whether there is any, which is seldom
    if (((zero - 0x01010101) & ~zero & 0x80808080) !== 0) lines += newlines(word);
  }
  for (let at = words.length * 4; at < until; at++) if (bytes[at] === 10) lines++;
  return lines;
}

/** How many of the four bytes are newlines. */
function newlines(word: number): number {
  const zero = word ^ 0x0a0a0a0a;
  // the highest bit of each byte that is zero, without carries between bytes (Warren, Hacker's Delight, 6-1)
  const found = ~(((zero & 0x7f7f7f7f) + 0x7f7f7f7f) | zero | 0x7f7f7f7f);
  return Math.imul((found >>> 7) & 0x01010101, 0x01010101) >>> 24;
}
