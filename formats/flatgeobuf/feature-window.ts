import type { FlatBytes } from './flat-table.ts';
import type { RangeReader } from './range-reader.ts';

const minBytes = 1 << 20;

/** A window that moves forwards over a file. */
export interface FeatureWindow {
  /** Offset of the first held byte in the file. */
  readonly position: number;
  /** Number of held bytes. */
  readonly held: number;
  /** The length that a feature begins with; four bytes must be held. */
  length(): number;
  /** The feature of that length, without its prefix. */
  feature(length: number): FlatBytes;
  skip(bytes: number): void;
  /** Reads on until this many bytes are in the window; false at the end of the file. They must be within the range. */
  fill(bytes: number): Promise<boolean>;
}

export function createFeatureWindow(
  handle: RangeReader,
  { start, end }: { start: number; end: number },
): FeatureWindow {
  let bytes = Buffer.alloc(Math.min(minBytes, end - start));
  let view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let position = start;
  let from = 0;
  let until = 0;
  return {
    get position() {
      return position;
    },
    get held() {
      return until - from;
    },
    length: () => view.getUint32(from, true),
    feature: (length) => ({ bytes, view, start: from + 4, end: from + 4 + length }),
    skip(count) {
      position += count;
      from += count;
    },
    async fill(byteCount) {
      const rest = bytes.subarray(from, until);
      if (byteCount > bytes.length) {
        bytes = Buffer.alloc(Math.min(end - position, byteCount * 2));
        view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      }
      bytes.set(rest);
      from = 0;
      until = rest.length;
      while (until < byteCount) {
        const room = Math.min(bytes.length - until, end - position - until);
        const { bytesRead } = await handle.read(bytes, until, room, position + until);
        if (bytesRead === 0) return false;
        until += bytesRead;
      }
      return true;
    },
  };
}
