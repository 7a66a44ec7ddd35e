import { closeSync, openSync, readSync } from 'node:fs';

/** A range of text in memory, advanced by `fill`. */
export interface TextWindow {
  /** Overwritten by `fill`. */
  bytes: Buffer;
  /** Position of the reader, moved by it. */
  at: number;
  /** Behind the last byte that is there. */
  end: number;
  /** Bytes that were before `bytes`. */
  passed: number;
  /** True if `end` is the end of the text. */
  ended: boolean;
  /** Discards bytes before `at`, and reads at least as many bytes as the window holds. */
  fill(): void;
  close(): void;
}

export interface TextRange {
  readonly start: number;
  /** Offset in the file, in bytes. */
  readonly end: number;
  /** `utf-16le` or `utf-16be`: then the window shows UTF-8, and counts in that. */
  readonly utf16: string | undefined;
}

const chunkBytes = 1 << 20;
/** Bytes in UTF-8 of a unit of UTF-16. */
const maxUtf8Bytes = 3;

/** The window has one buffer, which grows if a row does not fit: garbage of a megabyte each would add up to a hundred. */
export function openTextWindow(path: string, { start, end, utf16 }: TextRange): TextWindow {
  const file = openSync(path, 'r');
  const decoder = utf16 === undefined ? undefined : new TextDecoder(utf16);
  const encoded = decoder && Buffer.allocUnsafeSlow(Math.min(chunkBytes, Math.max(0, end - start)));
  let position = start;
  let buffer = Buffer.alloc(0);
  let length = 0;
  const reserve = (more: number): void => {
    if (length + more <= buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, length + more));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  };
  const readFile = (target: Buffer, offset: number): number => {
    const count = readSync(file, target, offset, Math.min(chunkBytes, end - position), position);
    position += count;
    return count;
  };
  /** @returns false at the end */
  const addChunk = (): boolean => {
    const before = position;
    if (position >= end) return false;
    if (decoder === undefined || encoded === undefined) {
      reserve(Math.min(chunkBytes, end - position));
      length += readFile(buffer, length);
    } else {
      const text = decoder.decode(encoded.subarray(0, readFile(encoded, 0)), { stream: true });
      reserve(text.length * maxUtf8Bytes);
      length += buffer.write(text, length);
    }
    return position > before;
  };
  return {
    bytes: buffer,
    at: 0,
    end: 0,
    passed: start,
    ended: false,
    fill() {
      buffer.copyWithin(0, this.at, this.end);
      length = this.end - this.at;
      this.passed += this.at;
      const enough = length + Math.max(chunkBytes, length);
      while (length < enough && !this.ended) this.ended = !addChunk();
      this.bytes = buffer.subarray(0, length);
      this.at = 0;
      this.end = length;
    },
    close() {
      closeSync(file);
    },
  };
}
