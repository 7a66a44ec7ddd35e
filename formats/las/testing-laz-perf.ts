import { createLazPerf } from 'laz-perf';

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

interface Shape {
  readonly pointFormat: number;
  readonly recordLength: number;
}

/** The decoder by the authors of PDAL and COPC, which ours is compared with. It knows the formats 0 to 3 and 6 to 8. */
export async function openLazPerf(): Promise<
  (packed: Uint8Array, shape: Shape, points: number) => Uint8Array
> {
  const library = (await createLazPerf()) as LazPerf;
  return (packed, { pointFormat, recordLength }, points) => {
    const records = new Uint8Array(points * recordLength);
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
  };
}
