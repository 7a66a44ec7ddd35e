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
/** Of each table. */
const maxChunks = 8;

/** Finds blocks by their numbers, with few reads and little memory. @throws BytesError */
export function openBlockPlaces(
  tiff: Tiff,
  { directory, isTiled }: TiffImage,
): (number: number) => Promise<BlockPlace> {
  const tableOf = (name: number) => {
    const chunks = new LRUCache<number, Float64Array>({ max: maxChunks });
    return async (number: number): Promise<number> => {
      const first = number - (number % chunkValues);
      let chunk = chunks.get(first);
      if (!chunk) {
        chunk = await numbersOf(tiff, directory, name, { from: first, count: chunkValues });
        chunks.set(first, chunk);
      }
      return chunk[number - first] ?? 0;
    };
  };
  const offsetOf = tableOf(isTiled ? tag.tileOffsets : tag.stripOffsets);
  const lengthOf = tableOf(isTiled ? tag.tileByteCounts : tag.stripByteCounts);
  return async (number) => ({ offset: await offsetOf(number), length: await lengthOf(number) });
}
