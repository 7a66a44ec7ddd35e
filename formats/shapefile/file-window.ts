import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A stretch of a file in memory, read anew wherever another one is needed. */
export interface FileWindow {
  readonly size: number;
  /** Valid until the next `need`. */
  readonly bytes: Buffer;
  /** Of `bytes`. */
  readonly view: DataView;
  /** Where bytes `at` to `at + length` of the file begin in `bytes`; -1 if the file ends before them. */
  need(at: number, length: number): number;
  close(): void;
}

const usualBytes = 1 << 20;

/** Never takes more memory than the file has bytes, whatever is asked for. */
export function openFileWindow(path: string, windowBytes = usualBytes): FileWindow {
  const file = openSync(path, 'r');
  const { size } = fstatSync(file);
  let bytes = Buffer.alloc(0);
  let view = new DataView(bytes.buffer, 0, 0);
  let start = 0;
  let end = 0;
  return {
    size,
    get bytes() {
      return bytes;
    },
    get view() {
      return view;
    },
    need(at, length) {
      if (at >= start && at + length <= end) return at - start;
      if (at < 0 || length < 0 || at + length > size) return -1;
      const byteCount = Math.min(Math.max(length, windowBytes), size - at);
      if (byteCount > bytes.length) {
        bytes = Buffer.allocUnsafeSlow(byteCount);
        view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      }
      start = at;
      end = at;
      while (end < at + byteCount) {
        const count = readSync(file, bytes, end - at, byteCount - (end - at), end);
        if (count === 0) break;
        end += count;
      }
      return at + length <= end ? 0 : -1;
    },
    close() {
      closeSync(file);
    },
  };
}
