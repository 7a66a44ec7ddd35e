import { reserveWords, type Words } from '@platen/geo/shape/words';
import { openScratchFile, readInto, readStretch, type Stretch } from './scratch.ts';

/** Feature records (geo/mvt/feature-record) outside the memory, in the order they were appended. */
export interface RecordFile {
  /** In words. */
  readonly length: number;
  append(words: Int32Array): void;
  /** After the last record. */
  end(): Stretch;
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
 * The records of some stretches one after the other: where each lies in `store`, valid until the next is taken. Uses
 * the store from its start; what lies behind its length is the caller's until then.
 */
export function* recordsOf(stretches: readonly Stretch[], store: Words): Generator<number, void> {
  for (const stretch of stretches) {
    store.length = 0;
    let filled = 0;
    for (const part of readStretch(stretch)) {
      // Parts end anywhere, so bytes are gathered until the window holds whole records.
      reserveWords(store, Math.ceil((filled + part.length + windowBytes) / 4));
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

/** Appends all records of some stretches to the store. */
export function loadRecords(stretches: readonly Stretch[], store: Words): void {
  const bytes = stretches.reduce((sum, { start, end }) => sum + end - start, 0);
  reserveWords(store, bytes / 4);
  for (const stretch of stretches) {
    readInto(store.bytes, store.length * 4, stretch);
    store.length += (stretch.end - stretch.start) / 4;
  }
}
