import type { Bytes } from '../bytes/bytes.ts';
import type { SqliteHeader } from './read-header.ts';
import { SqliteError } from './sqlite-error.ts';

/** Pages by their number, from 1. */
export interface Pages {
  /** @throws SqliteError where there is none of that number */
  get(number: number): Promise<Uint8Array>;
}

/** Neighbours come with a page: they are often what is asked for next, and a read of an object store takes its time. */
const leastBlock = 32 * 1024;

/** Keeps what was read last, up to `cacheBytes`. */
export function createPages(bytes: Bytes, { pageSize, pageCount }: SqliteHeader, cacheBytes: number): Pages {
  const blockBytes = Math.max(leastBlock, pageSize);
  const mostBlocks = Math.max(4, Math.floor(cacheBytes / blockBytes));
  const kept = new Map<number, Promise<Uint8Array>>();

  function blockAt(number: number): Promise<Uint8Array> {
    const block = kept.get(number) ?? bytes.read(number * blockBytes, blockBytes);
    kept.delete(number);
    kept.set(number, block);
    block.catch(() => kept.delete(number));
    for (const oldest of kept.keys()) {
      if (kept.size <= mostBlocks) break;
      kept.delete(oldest);
    }
    return block;
  }

  return {
    async get(number) {
      if (number < 1 || number > pageCount)
        throw new SqliteError('the database is damaged: it points beyond its end');
      const offset = (number - 1) * pageSize;
      const block = await blockAt(Math.floor(offset / blockBytes));
      const page = block.subarray(offset % blockBytes, (offset % blockBytes) + pageSize);
      if (page.length < pageSize) throw new SqliteError('the database is cut off');
      return page;
    },
  };
}
