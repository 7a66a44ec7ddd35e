import { LRUCache } from 'lru-cache';
import { numbersOf, type Tiff } from './read-tiff.ts';
import type { TiffImage } from './read-image.ts';
import { tag } from './tags.ts';

/** Where a block is in the file; 0: the file leaves it out. */
export interface BlockPlace {
  readonly offset: number;
  readonly length: number;
}

/** Values that are read at a time: tables of large files have millions. */
const chunkValues = 4096;
const maxChunks = 8;

/** Where the blocks of an image are, by their numbers; read with few reads and little memory. */
export interface BlockPlaces {
  /** Without a read; undefined: it has to be loaded. */
  known(number: number): BlockPlace | undefined;
  /** @throws BytesError */
  load(number: number): Promise<BlockPlace>;
}

export function openBlockPlaces(tiff: Tiff, { directory, isTiled }: TiffImage): BlockPlaces {
  const chunks = new LRUCache<number, { readonly offsets: Float64Array; readonly lengths: Float64Array }>({
    max: maxChunks,
  });
  const firstOf = (number: number): number => number - (number % chunkValues);
  const known = (number: number): BlockPlace | undefined => {
    const first = firstOf(number);
    const chunk = chunks.get(first);
    return (
      chunk && { offset: chunk.offsets[number - first] ?? 0, length: chunk.lengths[number - first] ?? 0 }
    );
  };
  return {
    known,
    async load(number) {
      const from = firstOf(number);
      const read = (name: number): Promise<Float64Array> =>
        numbersOf(tiff, directory, name, { from, count: chunkValues });
      if (!chunks.has(from)) {
        const offsets = await read(isTiled ? tag.tileOffsets : tag.stripOffsets);
        const lengths = await read(isTiled ? tag.tileByteCounts : tag.stripByteCounts);
        chunks.set(from, { offsets, lengths });
      }
      return known(number)!;
    },
  };
}
