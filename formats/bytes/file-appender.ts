import { readSync, writeSync } from 'node:fs';

const defaultChunkBytes = 1 << 18;

export interface FileAppender {
  /** Offset of the next byte in the file. */
  readonly position: number;
  append(bytes: Uint8Array): void;
  /** Until then some bytes are held back. */
  flush(): void;
}

/** Writes to an open file from an offset, in large chunks. */
export function createFileAppender(file: number, from: number, chunkBytes = defaultChunkBytes): FileAppender {
  const chunk = Buffer.allocUnsafeSlow(chunkBytes);
  let held = 0;
  let written = from;
  const flush = (): void => {
    writeAll(file, chunk.subarray(0, held), written);
    written += held;
    held = 0;
  };
  return {
    get position() {
      return written + held;
    },
    append(bytes) {
      if (held + bytes.length > chunkBytes) flush();
      if (bytes.length > chunkBytes) {
        writeAll(file, bytes, written);
        written += bytes.length;
      } else {
        chunk.set(bytes, held);
        held += bytes.length;
      }
    },
    flush,
  };
}

export function writeAll(file: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, position + at);
}

/** @throws if the file ends before */
export function readAll(file: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length;) {
    const read = readSync(file, bytes, at, bytes.length - at, position + at);
    if (read === 0) throw new Error('the file is shorter than what was written to it');
    at += read;
  }
}
