import type { Cursor } from './cursor.ts';

/** A line in the window that is not JSON. */
export interface BadLine {
  readonly start: number;
  /** End of the line, with its line feed or separator. */
  readonly end: number;
}

/** Detects whether each line holds one object, so that a damaged one does not affect the others. */
export interface LineWatch {
  /** An object was read, from here in the file to there. */
  record(start: number, end: number): void;
  /** Objects have been read, none of them on more than one line. */
  areSure(): boolean;
  /** The window holds the end of the line at the cursor, and the beginning of the next. */
  hasEnd(): boolean;
  /** The line at the cursor; undefined where it may as well be a part of something longer. */
  badLine(of: { readonly isFirst: boolean; readonly isShort: boolean }): BadLine | undefined;
}

const [lineFeed, brace, recordSeparator] = [10, 123, 0x1e] as const;

/** @param byteOf where in the file a place in the window is */
export function createLineWatch(cursor: Cursor, byteOf: (at: number) => number): LineWatch {
  let areLines: boolean | undefined;
  let lastStart = -1;
  let lastEnd = -1;

  /** Looks at the last object while the window still holds it. */
  const judge = (): boolean | undefined => {
    const start = lastStart - byteOf(0);
    if (areLines === false || lastStart < 0 || start < 0) return areLines;
    const lineEnd = cursor.bytes.indexOf(lineFeed, start);
    areLines = lineEnd < 0 || lineEnd >= lastEnd - byteOf(0);
    return areLines;
  };
  const beginning = (from: number): number => {
    let at = from;
    while (at < cursor.end && (cursor.bytes[at]! <= 32 || cursor.bytes[at] === recordSeparator)) at++;
    return at;
  };
  const endOf = (start: number, byte: number): number => {
    const at = cursor.bytes.indexOf(byte, start);
    return at < 0 || at >= cursor.end ? -1 : at;
  };
  return {
    record(start, end) {
      lastStart = start;
      lastEnd = end;
    },
    areSure: () => judge() === true,
    hasEnd() {
      const end = endOf(beginning(cursor.at), lineFeed);
      return end >= 0 && beginning(end) < cursor.end;
    },
    badLine({ isFirst, isShort }) {
      const start = beginning(cursor.at);
      const isSequence = cursor.bytes.subarray(cursor.at, start).includes(recordSeparator);
      const nextText = isSequence ? endOf(start, recordSeparator) : -1;
      if (nextText >= 0) return { start, end: nextText };
      if (judge() === false) return undefined;
      const end = endOf(start, lineFeed);
      // without a line feed, a text that is too short was cut off
      if (end < 0) return isFirst || isShort ? undefined : { start, end: cursor.end };
      const next = beginning(end);
      if (isFirst && (next >= cursor.end || cursor.bytes[start] !== brace)) return undefined;
      if (areLines !== true && next < cursor.end && cursor.bytes[next] !== brace) return undefined;
      return { start, end };
    },
  };
}
