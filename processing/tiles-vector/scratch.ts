import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ScratchLog } from '@platen/geo/pmtiles/writer';

const bufferBytes = 1 << 18;
const partBytes = 1 << 20;

/** An append-only file that is only read after it was written. Made when its buffer is first full. */
export function openScratchFile(folder: string, name: string): ScratchLog {
  const path = join(folder, name);
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
  let buffered = 0;
  let length = 0;
  let file: number | undefined;
  const write = (bytes: Uint8Array): void => {
    file ??= openSync(path, 'w+');
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at);
  };
  const flush = (): void => {
    if (buffered > 0) write(buffer.subarray(0, buffered));
    buffered = 0;
  };
  return {
    get length() {
      return length;
    },
    append(bytes) {
      length += bytes.length;
      if (buffered + bytes.length > bufferBytes) flush();
      if (bytes.length > bufferBytes) write(bytes);
      else {
        buffer.set(bytes, buffered);
        buffered += bytes.length;
      }
    },
    *parts() {
      if (file === undefined) {
        yield buffer.subarray(0, buffered);
        return;
      }
      flush();
      const part = Buffer.allocUnsafeSlow(Math.min(partBytes, length));
      for (let at = 0; at < length;) {
        const count = readSync(file, part, 0, part.length, at);
        yield part.subarray(0, count);
        at += count;
      }
    },
    remove() {
      if (file === undefined) return;
      closeSync(file);
      unlinkSync(path);
      file = undefined;
    },
  };
}
