import { createWords, type Words } from '@platen/geo/shape/words';
import { openRecordFile, type RecordFile } from './record-file.ts';

/** All features as records: in memory while they fit, else in a scratch file. */
export interface Spool {
  /** Records are appended here. */
  readonly store: Words;
  /** As many words of records as may lie in memory at once. */
  readonly wordsInMemory: number;
  /** Undefined while everything is in memory. */
  readonly file: RecordFile | undefined;
  /** To be called after every record. */
  settle(): void;
  /** After the last record. */
  end(): void;
  clear(): void;
}

/** Of the memory: records, and with them what is trimmed off while tiles are cut; the rest is everything else. */
const shareForRecords = 0.35;
const shareForStore = 0.5;

export function createSpool(folder: string, memoryBytes: number): Spool {
  const store = createWords(Math.floor((memoryBytes * shareForStore) / 4));
  const wordsInMemory = Math.floor((memoryBytes * shareForRecords) / 4);
  let file: RecordFile | undefined;
  const spill = (): void => {
    if (store.length === 0) return;
    file ??= openRecordFile(folder, 'features');
    file.append(store.words.subarray(0, store.length));
    store.length = 0;
  };
  return {
    store,
    wordsInMemory,
    get file() {
      return file;
    },
    settle() {
      // Once spilled, small portions are enough.
      if (store.length > (file === undefined ? wordsInMemory : 1 << 20)) spill();
    },
    end() {
      if (file !== undefined) spill();
    },
    clear() {
      file?.remove();
      file = undefined;
      store.length = 0;
    },
  };
}
