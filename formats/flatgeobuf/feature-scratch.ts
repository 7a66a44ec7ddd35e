import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createFileAppender, readAll } from '../bytes/file-appender.ts';

/** Byte ranges in a file that can be read again in any order. */
export interface FeatureScratch {
  append(bytes: Uint8Array): void;
  /** After the last append. Valid until the next read. */
  read(number: number): Buffer;
  remove(): void;
}

export function createFeatureScratch(parentFolder: string): FeatureScratch {
  const folder = mkdtempSync(join(parentFolder, 'features-'));
  const file = openSync(join(folder, 'features'), 'wx+');
  const appender = createFileAppender(file, 0);
  /** The start of each range, and finally the end of the file. */
  let starts = new Float64Array(1024);
  let count = 0;
  let held = Buffer.alloc(1 << 16);
  return {
    append(bytes) {
      appender.append(bytes);
      count++;
      if (count === starts.length) {
        const larger = new Float64Array(count * 2);
        larger.set(starts);
        starts = larger;
      }
      starts[count] = appender.position;
    },
    read(number) {
      appender.flush();
      const length = starts[number + 1]! - starts[number]!;
      if (length > held.length) held = Buffer.alloc(length * 2);
      const bytes = held.subarray(0, length);
      readAll(file, bytes, starts[number]!);
      return bytes;
    },
    remove() {
      closeSync(file);
      rmSync(folder, { recursive: true });
    },
  };
}
