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
  const ready = new Map<string, Directory>();
  const loading = new Map<string, Promise<Directory>>();
  let entries = 0;
  let archives = 0;
  const keep = (key: string, directory: Directory): void => {
    ready.set(key, directory);
    entries += directory.count;
    for (const [oldest, old] of ready) {
      if (entries <= maxEntries) break;
      ready.delete(oldest);
      entries -= old.count;
    }
  };
  const loadOnce = (key: string, load: () => Promise<Directory>): Promise<Directory> => {
    let pending = loading.get(key);
    if (pending === undefined) {
      pending = load()
        .then((directory) => {
          keep(key, directory);
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
        if (known === undefined) return loadOnce(key, () => load(offset, length));
        // Renews its place: a Map iterates in the order of insertion.
        ready.delete(key);
        ready.set(key, known);
        return known;
      };
    },
  };
}
