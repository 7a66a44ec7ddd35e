import { join } from 'node:path';
import { createWords, type Words } from '@platen/geo/shape/words';
import { openScratchFile, readInto, type ScratchFile, type Stretch } from './scratch.ts';

/** A run of feature records (geo/mvt/feature-record) as one worker read them: in memory that all threads share, or in a file. */
export interface Segment {
  /** The part of the input it comes from, and its place among that part's segments. */
  readonly part: number;
  readonly place: number;
  /** Whose numbers for keys and layers its records use. */
  readonly worker: number;
  readonly words: number;
  readonly shared: SharedArrayBuffer | undefined;
  readonly stretch: Stretch | undefined;
}

export interface SegmentWriter {
  /** Records are appended here. */
  readonly store: Words;
  begin(part: number): void;
  /** To be called after every record. */
  settle(): void;
  /** The segments of the part. */
  end(): Segment[];
  close(): void;
}

export interface SegmentOptions {
  readonly folder: string;
  readonly worker: number;
  readonly attempt: number;
  /** One number that all workers share: the words in memory so far. */
  readonly inMemory: Int32Array;
  readonly mostInMemory: number;
}

const segmentWords = 1 << 21;
const largeSegmentWords = 1 << 23;

/** Segments stay in memory while all of them together fit, then they go to a file. */
export function createSegmentWriter({
  folder,
  worker,
  attempt,
  inMemory,
  mostInMemory,
}: SegmentOptions): SegmentWriter {
  const store = createWords(largeSegmentWords);
  let file: ScratchFile | undefined;
  let part = 0;
  let segments: Segment[] = [];
  let spills = false;

  const cut = (): void => {
    const { length: words } = store;
    if (words === 0) return;
    const place = segments.length;
    spills ||= Atomics.load(inMemory, 0) + words > mostInMemory;
    const bytes = store.bytes.subarray(0, words * 4);
    if (spills) {
      file ??= openScratchFile(join(folder, `features-${attempt}-${worker}`));
      const start = file.length;
      file.append(bytes);
      file.flush();
      const stretch = { path: file.path, start, end: file.length };
      segments.push({ part, place, worker, words, shared: undefined, stretch });
    } else {
      Atomics.add(inMemory, 0, words);
      const shared = new SharedArrayBuffer(words * 4);
      new Uint8Array(shared).set(bytes);
      segments.push({ part, place, worker, words, shared, stretch: undefined });
    }
    store.length = 0;
  };
  return {
    store,
    begin(of) {
      part = of;
      segments = [];
    },
    settle() {
      if (store.length > (spills ? largeSegmentWords : segmentWords)) cut();
    },
    end() {
      cut();
      return segments;
    },
    close: () => file?.close(),
  };
}

/** Moves what of some segments lies in memory into a file, if any of them lies in one. */
export function settleSegments(segments: readonly Segment[], path: string): Segment[] {
  if (segments.every(({ shared }) => shared !== undefined)) return [...segments];
  const file = openScratchFile(path);
  const settled = segments.map((segment): Segment => {
    if (segment.shared === undefined) return segment;
    const start = file.length;
    file.append(new Uint8Array(segment.shared));
    return { ...segment, shared: undefined, stretch: { path, start, end: file.length } };
  });
  file.flush();
  file.close();
  return settled;
}

/** The segment's records, from the start of the answer; in `store` unless they are in shared memory. */
export function loadSegment({ words, shared, stretch }: Segment, store: Words): Words {
  if (shared !== undefined) {
    const view = new Int32Array(shared);
    return { words: view, floats: new Float32Array(shared), bytes: new Uint8Array(shared), length: words };
  }
  store.length = 0;
  reserve(store, words);
  readInto(store.bytes, 0, stretch!);
  store.length = words;
  return store;
}

function reserve(store: Words, words: number): void {
  if (store.words.length >= words) return;
  Object.assign(store, createWords(words));
}
