import { closeSync, openSync, readSync, unlinkSync } from 'node:fs';
import { readAll, writeAll } from '@platen/formats/bytes/file-appender';
import type { ScratchLog } from '@platen/geo/pmtiles/writer';

const partBytes = 1 << 20;

/** A byte range of a scratch file. */
export interface FileRange {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

export interface ScratchFile extends ScratchLog {
  readonly path: string;
  /** Writes everything appended so far to the file, where other threads can read it. */
  flush(): void;
  close(): void;
}

/** An append-only file, created when its buffer is full for the first time. */
export function openScratchFile(path: string, bufferBytes = 1 << 18): ScratchFile {
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
  let buffered = 0;
  let length = 0;
  let file: number | undefined;
  const write = (bytes: Uint8Array): void => {
    file ??= openSync(path, 'w');
    writeAll(file, bytes, length - buffered);
  };
  const flush = (): void => {
    if (buffered > 0) write(buffer.subarray(0, buffered));
    buffered = 0;
  };
  const close = (): void => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  return {
    path,
    get length() {
      return length;
    },
    append(bytes) {
      if (buffered + bytes.length > bufferBytes) flush();
      if (bytes.length > bufferBytes) write(bytes);
      else {
        buffer.set(bytes, buffered);
        buffered += bytes.length;
      }
      length += bytes.length;
    },
    flush,
    close,
    *parts() {
      if (file === undefined) {
        yield buffer.subarray(0, buffered);
        return;
      }
      flush();
      yield* readRange({ path, start: 0, end: length });
    },
    remove() {
      if (file === undefined) return;
      close();
      unlinkSync(path);
    },
  };
}

/** The bytes of a range in order; a chunk is valid until the next is read. The file is closed with the last one, as readers may ask for no more. */
export function* readRange({ path, start, end }: FileRange): Generator<Uint8Array, void> {
  if (end <= start) return;
  let file: number | undefined = openSync(path, 'r');
  try {
    const part = Buffer.allocUnsafeSlow(Math.min(partBytes, end - start));
    for (let at = start; at < end;) {
      const count: number = readSync(file!, part, 0, Math.min(part.length, end - at), at);
      if (count === 0) throw new Error(`the scratch file ${path} is shorter than it was`);
      at += count;
      if (at === end) {
        closeSync(file!);
        file = undefined;
      }
      yield part.subarray(0, count);
    }
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Reads a range into memory at `offset`. */
export function readInto(target: Uint8Array, offset: number, { path, start, end }: FileRange): void {
  if (end <= start) return;
  const file = openSync(path, 'r');
  try {
    readAll(file, target.subarray(offset, offset + end - start), start);
  } finally {
    closeSync(file);
  }
}

/** Writes a range again, from the first bytes. */
export function overwriteRange({ path, start, end }: FileRange, bytes: Uint8Array): void {
  const file = openSync(path, 'r+');
  try {
    writeAll(file, bytes.subarray(0, end - start), start);
  } finally {
    closeSync(file);
  }
}
