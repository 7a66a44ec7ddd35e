import { closeSync, openSync, readSync } from 'node:fs';

/** A range of text in memory, advanced by `fill`. */
export interface TextWindow {
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

export function openTextWindow(path: string, { start, end, utf16 }: TextRange): TextWindow {
  const file = openSync(path, 'r');
  const decoder = utf16 === undefined ? undefined : new TextDecoder(utf16);
  let position = start;
  const readChunk = (): Buffer | undefined => {
    const chunk = Buffer.allocUnsafeSlow(Math.min(chunkBytes, Math.max(0, end - position)));
    const count = chunk.length === 0 ? 0 : readSync(file, chunk, 0, chunk.length, position);
    position += count;
    if (decoder === undefined) return count === 0 ? undefined : chunk.subarray(0, count);
    if (count === 0) return undefined;
    return Buffer.from(decoder.decode(chunk.subarray(0, count), { stream: true }));
  };
  return {
    bytes: Buffer.alloc(0),
    at: 0,
    end: 0,
    passed: start,
    ended: false,
    fill() {
      const kept = this.end - this.at;
      const chunks = [this.bytes.subarray(this.at, this.end)];
      this.passed += this.at;
      for (let added = 0; added < Math.max(chunkBytes, kept) && !this.ended;) {
        const chunk = readChunk();
        if (chunk === undefined) this.ended = true;
        else chunks.push(chunk);
        added += chunk?.length ?? 0;
      }
      this.bytes = chunks.length === 2 && kept === 0 ? chunks[1]! : Buffer.concat(chunks);
      this.at = 0;
      this.end = this.bytes.length;
    },
    close() {
      closeSync(file);
    },
  };
}
