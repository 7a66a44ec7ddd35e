import { BytesError } from '../bytes/bytes.ts';
import type { LasHeader } from './read-header.ts';

/** Those that laz-perf decodes. */
const decoded = new Set([0, 1, 2, 3, 6, 7, 8]);

export function canDecode({ pointFormat }: LasHeader): boolean {
  return decoded.has(pointFormat);
}

/** The parts of laz-perf that are used; its own types need those of Emscripten. */
interface LazPerf {
  /** Its memory, which may move when it grows. */
  readonly HEAPU8: Uint8Array;
  readonly ChunkDecoder: new () => ChunkDecoder;
  _malloc(bytes: number): number;
  _free(place: number): void;
}

interface ChunkDecoder {
  open(pointFormat: number, recordLength: number, place: number): void;
  /** Writes the next point to this place. */
  getPoint(place: number): void;
  delete(): void;
}

let loading: Promise<LazPerf> | undefined;

/**
 * The first points of a chunk.
 * @param packed the chunk, or so much of its beginning as these points need
 * @returns their records, one behind the other. @throws BytesError where it is damaged
 */
export async function decodeChunk(
  packed: Uint8Array,
  { pointFormat, recordLength }: LasHeader,
  points: number,
): Promise<Uint8Array> {
  const library = await (loading ??= load());
  const records = new Uint8Array(points * recordLength);
  try {
    // behind the end it may look a little further
    const from = library._malloc(packed.length + 64);
    const to = library._malloc(recordLength);
    library.HEAPU8.set(packed, from);
    const decoder = new library.ChunkDecoder();
    decoder.open(pointFormat, recordLength, from);
    for (let i = 0; i < points; i++) {
      decoder.getPoint(to);
      records.set(library.HEAPU8.subarray(to, to + recordLength), i * recordLength);
    }
    decoder.delete();
    library._free(from);
    library._free(to);
    return records;
  } catch (error) {
    // the state of its memory is unknown after a trap
    loading = undefined;
    throw new BytesError('one of its point chunks is damaged', { cause: error });
  }
}

/** laz-perf adds a listener for uncaught errors of the whole process, which is removed again. */
async function load(): Promise<LazPerf> {
  const events = ['uncaughtException', 'unhandledRejection'] as const;
  const before = events.map((event) => new Set<unknown>(process.listeners(event as 'exit')));
  const { createLazPerf } = await import('laz-perf');
  const library = (await createLazPerf()) as LazPerf;
  for (const [i, event] of events.entries()) {
    for (const listener of process.listeners(event as 'exit'))
      if (!before[i]!.has(listener)) process.off(event, listener);
  }
  return library;
}
