import { LRUCache } from 'lru-cache';
import type { Directory } from './directory.ts';

/** By the offset and the length of a leaf directory, in bytes. */
export type LoadLeaf = (offset: number, length: number) => Promise<Directory>;

/** Leaf directories that stay decoded, of one archive or of several that share the room. */
export interface LeafCache {
  /** The leaves of one more archive; one that is there needs no waiting. */
  ofArchive(load: LoadLeaf): (offset: number, length: number) => Directory | Promise<Directory>;
}

/** Keeps the leaves used last, up to so many entries of 24 bytes; one read serves all who wait for the same leaf. */
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
    ofArchive(load) {
      const archive = archives++;
      return (offset, length) => {
        const key = `${archive} ${offset}`;
        const known = ready.get(key);
        return known ?? loadOnce(key, () => load(offset, length));
      };
    },
  };
}
