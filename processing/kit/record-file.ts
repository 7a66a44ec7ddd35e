import { reserveSpace, type Int32Buffer } from '@platen/geo/shape/int32-buffer';
import { openScratchFile, readInto, readRange, type FileRange } from './scratch-file.ts';

/** Feature records (geo/mvt/feature-record) in a file, in the order they were appended. */
export interface RecordFile {
  /** In words. */
  readonly length: number;
  append(words: Int32Array): void;
  /** Flushes the file and returns its range. */
  end(): FileRange;
  remove(): void;
}

const windowBytes = 1 << 20;

export function openRecordFile(path: string): RecordFile {
  const log = openScratchFile(path);
  return {
    get length() {
      return log.length / 4;
    },
    append(words) {
      log.append(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
    },
    end() {
      log.flush();
      return { path, start: 0, end: log.length };
    },
    remove: () => log.remove(),
  };
}

/**
 * Iterates over the records of some ranges: yields the position of each in `store`, valid until the next. Uses the
 * store
 * from its start; the caller may use the space after its length until then.
 */
export function* recordsOf(ranges: readonly FileRange[], store: Int32Buffer): Generator<number, void> {
  for (const range of ranges) {
    store.length = 0;
    let filled = 0;
    for (const part of readRange(range)) {
      // Chunks end anywhere, so bytes are collected until the window contains whole records.
      reserveSpace(store, Math.ceil((filled + part.length + windowBytes) / 4));
      store.bytes.set(part, filled);
      filled += part.length;
      const whole = filled >> 2;
      let at = 0;
      store.length = (filled + 3) >> 2;
      while (at < whole && at + store.words[at]! <= whole) {
        yield at;
        at += store.words[at]!;
      }
      store.bytes.copyWithin(0, at * 4, filled);
      filled -= at * 4;
      store.length = (filled + 3) >> 2;
    }
  }
}

/** Appends all records of some ranges to the store. */
export function loadRecords(ranges: readonly FileRange[], store: Int32Buffer): void {
  const bytes = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  reserveSpace(store, bytes / 4);
  for (const range of ranges) {
    readInto(store.bytes, store.length * 4, range);
    store.length += (range.end - range.start) / 4;
  }
}
