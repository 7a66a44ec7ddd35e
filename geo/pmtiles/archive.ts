import { createLeafCache, type LeafCache } from './leaf-cache.ts';
import { readArchive, type Archive, type ReadRange } from './read-archive.ts';

const cachedEntries = 1_000_000;

export interface ArchiveOptions {
  /** Cache for decoded leaf directories, to share between archives; its own by default. */
  readonly leaves?: LeafCache;
}

/** Reads header and root directory at once, everything else on demand. @throws ArchiveError */
export const openArchive = (read: ReadRange, options: ArchiveOptions = {}): Promise<Archive> =>
  readArchive(read, options.leaves ?? createLeafCache(cachedEntries));
