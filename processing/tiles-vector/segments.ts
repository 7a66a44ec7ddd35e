import { join } from 'node:path';
import { createInt32Buffer, type Int32Buffer } from '@platen/geo/shape/int32-buffer';
import type { TilingMemory } from './memory.ts';
import {
  openScratchFile,
  overwriteRange,
  readInto,
  type ScratchFile,
  type FileRange,
} from '../kit/scratch-file.ts';

/** A sequence of feature records (geo/mvt/feature-record) from one worker, in shared memory or in a file. */
export interface Segment {
  /** Index of the part of the input, and of the segment within the part. */
  readonly part: number;
  readonly index: number;
  /** The worker whose key and layer numbers the records use. */
  readonly worker: number;
  readonly words: number;
  readonly shared: SharedArrayBuffer | undefined;
  readonly range: FileRange | undefined;
}

export interface SegmentWriter {
  /** Records are appended here. */
  readonly store: Int32Buffer;
  begin(part: number): void;
  /** Must be called after every record. */
  flushIfFull(): void;
  /** The segments of the part. */
  end(): Segment[];
  close(): void;
}

export interface SegmentOptions {
  readonly folder: string;
  readonly worker: number;
  readonly attempt: number;
  /** A number shared by all workers: the words in memory so far. */
  readonly wordsInMemory: Int32Array;
  readonly memory: TilingMemory;
}

/** Segments in memory are smaller, so that threads get equal shares of them. */
const maxSharedSegmentWords = 1 << 21;

/** Keeps segments in memory while all of them fit, then writes them to a file. */
export function createSegmentWriter({
  folder,
  worker,
  attempt,
  wordsInMemory,
  memory: { maxWordsInMemory, maxWordsPerSegment },
}: SegmentOptions): SegmentWriter {
  const store = createInt32Buffer(maxWordsPerSegment);
  let file: ScratchFile | undefined;
  const shortSegmentWords = Math.min(maxSharedSegmentWords, maxWordsPerSegment);
  let part = 0;
  let segments: Segment[] = [];
  let spills = false;

  const cut = (): void => {
    const { length: words } = store;
    if (words === 0) return;
    const index = segments.length;
    spills ||= Atomics.load(wordsInMemory, 0) + words > maxWordsInMemory;
    const bytes = store.bytes.subarray(0, words * 4);
    if (spills) {
      file ??= openScratchFile(join(folder, `features-${attempt}-${worker}`));
      const start = file.length;
      file.append(bytes);
      file.flush();
      const range = { path: file.path, start, end: file.length };
      segments.push({ part, index, worker, words, shared: undefined, range });
    } else {
      Atomics.add(wordsInMemory, 0, words);
      const shared = new SharedArrayBuffer(words * 4);
      new Uint8Array(shared).set(bytes);
      segments.push({ part, index, worker, words, shared, range: undefined });
    }
    store.length = 0;
  };
  return {
    store,
    begin(of) {
      part = of;
      segments = [];
    },
    flushIfFull() {
      if (store.length > (spills ? maxWordsPerSegment : shortSegmentWords)) cut();
    },
    end() {
      cut();
      return segments;
    },
    close: () => file?.close(),
  };
}

/** Moves all segments to files if any of them is in a file. */
export function spillSegments(segments: readonly Segment[], path: string): Segment[] {
  if (segments.every(({ shared }) => shared !== undefined)) return [...segments];
  const file = openScratchFile(path);
  const settled = segments.map((segment): Segment => {
    if (segment.shared === undefined) return segment;
    const start = file.length;
    file.append(new Uint8Array(segment.shared));
    return { ...segment, shared: undefined, range: { path, start, end: file.length } };
  });
  file.flush();
  file.close();
  return settled;
}

/** Loads the segment's records, starting at offset 0; into `store` unless they are in shared memory. */
export function loadSegment({ words, shared, range }: Segment, store: Int32Buffer): Int32Buffer {
  if (shared !== undefined) {
    const view = new Int32Array(shared);
    return { words: view, floats: new Float32Array(shared), bytes: new Uint8Array(shared), length: words };
  }
  store.length = 0;
  reserve(store, words);
  readInto(store.bytes, 0, range!);
  store.length = words;
  return store;
}

/** Keeps changes of a segment's records that were loaded into `store`. */
export function saveSegment({ words, shared, range }: Segment, { bytes }: Int32Buffer): void {
  if (shared === undefined) overwriteRange(range!, bytes.subarray(0, words * 4));
}

function reserve(store: Int32Buffer, words: number): void {
  if (store.words.length >= words) return;
  Object.assign(store, createInt32Buffer(words));
}
