import { LRUCache } from 'lru-cache';
import type { Bytes } from '../bytes/bytes.ts';
import type { SqliteHeader } from './read-header.ts';
import { SqliteError } from './sqlite-error.ts';

/** The pages of a database by their number, from 1. */
export interface Pages {
  /** @throws SqliteError if the page does not exist */
  get(number: number): Promise<Uint8Array>;
}

/** Pages are read in blocks: neighbours are often needed next, and a read of an object store is slow. */
const minBlockBytes = 32 * 1024;

/** Keeps the most recently used pages, up to `cacheBytes`. */
export function createPages(bytes: Bytes, { pageSize, pageCount }: SqliteHeader, cacheBytes: number): Pages {
  const blockBytes = Math.max(minBlockBytes, pageSize);
  const maxBlocks = Math.max(4, Math.floor(cacheBytes / blockBytes));
  const blocks = new LRUCache<number, Promise<Uint8Array>>({ max: maxBlocks });

  function blockAt(number: number): Promise<Uint8Array> {
    const known = blocks.get(number);
    if (known) return known;
    const block = bytes.read(number * blockBytes, blockBytes);
    blocks.set(number, block);
    block.catch(() => blocks.delete(number));
    return block;
  }

  return {
    async get(number) {
      if (number < 1 || number > pageCount)
        throw new SqliteError('the database is damaged: a page is missing');
      const offset = (number - 1) * pageSize;
      const block = await blockAt(Math.floor(offset / blockBytes));
      const page = block.subarray(offset % blockBytes, (offset % blockBytes) + pageSize);
      if (page.length < pageSize) throw new SqliteError('the database is cut off');
      return page;
    },
  };
}
