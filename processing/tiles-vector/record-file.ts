import type { Words } from '@platen/geo/shape/words';
import { reserveWords } from '@platen/geo/shape/words';
import { openScratchFile } from './scratch.ts';

/** Feature records (geo/mvt/feature-record) outside the memory, in the order they were appended. */
export interface RecordFile {
  /** In words. */
  readonly length: number;
  append(words: Int32Array): void;
  /**
   * The records one after the other: where each lies in `store`, valid until the next is taken. Uses the store
   * from its start; what lies behind its length is the caller's until then.
   */
  records(store: Words): Iterable<number>;
  /** All records at once, from the start of the store. */
  load(store: Words): void;
  remove(): void;
}

const windowWords = 1 << 21;

export function openRecordFile(folder: string, name: string): RecordFile {
  const log = openScratchFile(folder, name);
  return {
    get length() {
      return log.length / 4;
    },
    append(words) {
      log.append(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
    },
    *records(store) {
      store.length = 0;
      let filled = 0;
      for (const part of log.parts()) {
        // Parts end anywhere, so bytes are gathered until the window holds whole records.
        reserveWords(store, Math.ceil((filled + part.length) / 4) + windowWords);
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
    },
    load(store) {
      store.length = 0;
      reserveWords(store, log.length / 4);
      let at = 0;
      for (const part of log.parts()) {
        store.bytes.set(part, at);
        at += part.length;
      }
      store.length = at / 4;
    },
    remove: () => log.remove(),
  };
}
