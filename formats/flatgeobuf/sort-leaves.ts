import { closeSync, openSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { hilbertOf } from '@platen/geo/hilbert/hilbert';
import { createFileAppender } from '../bytes/file-appender.ts';
import {
  createLeafRecords,
  placeOfLeaf,
  readLeaves,
  recordBytes,
  recordDoubles,
  setPlaceOfLeaf,
  type LeafRecords,
} from './leaf-records.ts';

/** One record at a time. */
export interface LeafCursor {
  readonly records: LeafRecords;
  /** The number of the record. */
  index: number;
}

export interface SortOptions {
  /** The records in the order of the features. */
  readonly file: number;
  readonly count: number;
  /** A file that may be written. */
  readonly scratchPath: string;
  /** The box around all of them. */
  readonly around: Float64Array;
  readonly memoryBytes: number;
}

/** A record and its key while a run is sorted. */
const bytesPerSorted = recordBytes + 8;
const minRun = 1024;
/** Records of each run in memory while runs are merged. */
const minWindow = 16;

/**
 * The records along the Hilbert curve through the centres of their boxes, those at one place in the order of the
 * features. Those that do not fit into memory are sorted in runs, which are merged.
 * @yields a record, valid until the next
 */
export async function sortLeaves(options: SortOptions): Promise<Iterable<LeafCursor>> {
  const { file, count, scratchPath, memoryBytes } = options;
  const runLength = Math.min(count, Math.max(minRun, Math.floor(memoryBytes / bytesPerSorted)));
  const records = createLeafRecords(runLength);
  const keys = createKeys(runLength);
  const placeOf = curveOver(options.around);
  const sortRun = (first: number): Iterable<number> => {
    const length = Math.min(runLength, count - first);
    readLeaves(file, records, first, length);
    for (let i = 0; i < length; i++) setPlaceOfLeaf(records, i, placeOf(records.doubles, i * recordDoubles));
    return keys.order(records, length);
  };
  if (runLength === count) return inMemory(records, sortRun(0));
  const runs = openSync(scratchPath, 'wx+');
  const appender = createFileAppender(runs, 0);
  for (let first = 0; first < count; first += runLength) {
    for (const i of sortRun(first))
      appender.append(records.bytes.subarray(i * recordBytes, (i + 1) * recordBytes));
    await setImmediate();
  }
  appender.flush();
  return mergeRuns(runs, { count, runLength, memoryBytes });
}

function* inMemory(records: LeafRecords, order: Iterable<number>): Generator<LeafCursor, void> {
  const cursor = { records, index: 0 };
  for (const index of order) {
    cursor.index = index;
    yield cursor;
  }
}

const order = 16;
const cells = 2 ** order - 1;

function curveOver(around: Float64Array): (boxes: Float64Array, at: number) => number {
  const [west, south, east, north] = around as unknown as [number, number, number, number];
  const perX = east > west ? cells / (east - west) : 0;
  const perY = north > south ? cells / (north - south) : 0;
  return (boxes, at) =>
    hilbertOf(
      order,
      Math.floor(((boxes[at]! + boxes[at + 2]!) / 2 - west) * perX),
      Math.floor(((boxes[at + 1]! + boxes[at + 3]!) / 2 - south) * perY),
    );
}

/** Pairs of number and place on the curve, sorted as 64-bit integers, of which the place is the higher half. */
function createKeys(capacity: number) {
  const words = new Uint32Array(capacity * 2);
  const pairs = new BigUint64Array(words.buffer);
  const [low, high] =
    new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? ([0, 1] as const) : ([1, 0] as const);
  return {
    *order(records: LeafRecords, length: number): Generator<number, void> {
      for (let i = 0; i < length; i++) {
        words[i * 2 + low] = i;
        words[i * 2 + high] = placeOfLeaf(records, i);
      }
      pairs.subarray(0, length).sort();
      for (let i = 0; i < length; i++) yield words[i * 2 + low]!;
    },
  };
}

interface Run extends LeafCursor {
  readonly number: number;
  /** Records in memory. */
  held: number;
  /** The record of the file to read next. */
  next: number;
  readonly end: number;
}

interface MergeOptions {
  readonly count: number;
  readonly runLength: number;
  readonly memoryBytes: number;
}

function* mergeRuns(
  file: number,
  { count, runLength, memoryBytes }: MergeOptions,
): Generator<LeafCursor, void> {
  const runCount = Math.ceil(count / runLength);
  const windowLength = Math.max(minWindow, Math.floor(memoryBytes / runCount / recordBytes));
  const fill = (run: Run): boolean => {
    run.index = 0;
    run.held = Math.min(windowLength, run.end - run.next);
    readLeaves(file, run.records, run.next, run.held);
    run.next += run.held;
    return run.held > 0;
  };
  const heap = Array.from({ length: runCount }, (_, number): Run => {
    const next = number * runLength;
    const end = Math.min(count, next + runLength);
    return { number, records: createLeafRecords(windowLength), index: 0, held: 0, next, end };
  });
  try {
    for (const run of heap) fill(run);
    for (let i = (heap.length >> 1) - 1; i >= 0; i--) sink(heap, i);
    while (heap.length > 0) {
      const run = heap[0]!;
      yield run;
      if (++run.index === run.held && !fill(run)) {
        const last = heap.pop()!;
        if (heap.length > 0) heap[0] = last;
      }
      sink(heap, 0);
    }
  } finally {
    closeSync(file);
  }
}

/** Restores the heap below `at`, whose run has another record than before: the run with the first one is at the top. */
function sink(heap: Run[], at: number): void {
  for (let child = at * 2 + 1; child < heap.length; child = at * 2 + 1) {
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
    if (!isBefore(heap[child]!, heap[at]!)) return;
    [heap[at], heap[child]] = [heap[child]!, heap[at]!];
    at = child;
  }
}

function isBefore(one: Run, other: Run): boolean {
  const difference = placeOfLeaf(one.records, one.index) - placeOfLeaf(other.records, other.index);
  return difference === 0 ? one.number < other.number : difference < 0;
}
