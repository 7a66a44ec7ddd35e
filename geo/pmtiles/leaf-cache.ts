import { LRUCache } from 'lru-cache';
import type { Directory } from './directory.ts';

/** Arguments: offset and length of a leaf directory, in bytes. */
export type LoadLeaf = (offset: number, length: number) => Promise<Directory>;

/** Cache of decoded leaf directories of one or several archives. */
export interface LeafCache {
  /** Leaves of one more archive; a cached one is returned synchronously. */
  forArchive(load: LoadLeaf): (offset: number, length: number) => Directory | Promise<Directory>;
}

/**
 * Least recently used leaves are evicted beyond `maxEntries` of 24 bytes each; concurrent readers of a leaf share one
 * read.
 */
export function createLeafCache(maxEntries: number): LeafCache {
  const ready = new LRUCache<string, Directory>({
    maxSize: maxEntries,
    sizeCalculation: ({ count }) => Math.max(1, count),
  });
  const loading = new Map<string, Promise<Directory>>();
  let archives = 0;
  const loadOnce = (key: string, load: () => Promise<Directory>): Promise<Directory> => {
    let pending = loading.get(key);
    if (pending === undefined) {
      pending = load()
        .then((directory) => {
          ready.set(key, directory);
          return directory;
        })
        .finally(() => loading.delete(key));
      loading.set(key, pending);
    }
    return pending;
  };
  return {
    forArchive(load) {
      const archive = archives++;
      return (offset, length) => {
        const key = `${archive} ${offset}`;
        const known = ready.get(key);
        return known ?? loadOnce(key, () => load(offset, length));
      };
    },
  };
}
