import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A range of a file in memory, replaced when another one is needed. */
export interface FileWindow {
  readonly size: number;
  /** Valid until the next `need`. */
  readonly bytes: Buffer;
  /** A view of `bytes`. */
  readonly view: DataView;
  /**
   * Returns the index in `bytes` of file offset `at`, with `length` bytes loaded; -1 if the file ends before that.
   */
  need(at: number, length: number): number;
  close(): void;
}

const usualBytes = 1 << 20;

/** Allocates no more than the size of the file, whatever is requested. */
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
