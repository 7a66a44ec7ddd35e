import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import type { ScratchLog } from '@platen/geo/pmtiles/writer';

const partBytes = 1 << 20;

/** A stretch of a scratch file. In bytes. */
export interface Stretch {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

export interface ScratchFile extends ScratchLog {
  readonly path: string;
  /** Brings everything appended so far into the file, where other threads find it. */
  flush(): void;
  close(): void;
}

/** An append-only file that is made when its buffer is first full. */
export function openScratchFile(path: string, bufferBytes = 1 << 18): ScratchFile {
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
  let buffered = 0;
  let length = 0;
  let file: number | undefined;
  const write = (bytes: Uint8Array): void => {
    file ??= openSync(path, 'w');
    writeFully(file, bytes, length - buffered);
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
      yield* readStretch({ path, start: 0, end: length });
    },
    remove() {
      if (file === undefined) return;
      close();
      unlinkSync(path);
    },
  };
}

export function writeFully(file: number, bytes: Uint8Array, offset: number): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, offset + at);
}

/** The bytes of a stretch in order; each part is valid until the next is taken. */
export function* readStretch({ path, start, end }: Stretch): Generator<Uint8Array, void> {
  if (end <= start) return;
  const file = openSync(path, 'r');
  try {
    const part = Buffer.allocUnsafeSlow(Math.min(partBytes, end - start));
    for (let at = start; at < end;) {
      const count = readSync(file, part, 0, Math.min(part.length, end - at), at);
      if (count === 0) throw new Error(`the scratch file ${path} is shorter than it was`);
      yield part.subarray(0, count);
      at += count;
    }
  } finally {
    closeSync(file);
  }
}

/** Reads a stretch into memory at `offset`. */
export function readInto(target: Uint8Array, offset: number, { path, start, end }: Stretch): void {
  const file = openSync(path, 'r');
  try {
    for (let at = start; at < end;) {
      const count = readSync(file, target, offset + at - start, end - at, at);
      if (count === 0) throw new Error(`the scratch file ${path} is shorter than it was`);
      at += count;
    }
  } finally {
    closeSync(file);
  }
}
