import { createLogInMemory } from './log-in-memory.ts';
import { createArchiveWriter, type ArchiveInfo, type StoredTile } from './writer.ts';

export interface ArchiveTile {
  readonly tileId: number;
  /** Stored as it is. */
  readonly bytes: Uint8Array;
}

/** Builds a whole archive of tiles in ascending order of their ids; equal ones are stored once. */
export function buildArchiveInMemory(
  tiles: readonly ArchiveTile[],
  info: ArchiveInfo,
  gzip: (bytes: Uint8Array) => Uint8Array,
): Uint8Array {
  const written: { offset: number; bytes: Uint8Array }[] = [];
  const writer = createArchiveWriter({
    write: (offset, bytes) => void written.push({ offset, bytes: bytes.slice() }),
    entries: createLogInMemory(),
    gzip,
  });
  const latin1 = new TextDecoder('latin1');
  const known = new Map<string, StoredTile>();
  for (const { tileId, bytes } of tiles) {
    const key = latin1.decode(bytes);
    const stored = known.get(key);
    if (stored === undefined) known.set(key, writer.addTile(tileId, bytes));
    else writer.addDuplicate(tileId, stored);
  }
  writer.finish(info);
  const archive = new Uint8Array(Math.max(...written.map(({ offset, bytes }) => offset + bytes.length)));
  for (const { offset, bytes } of written) archive.set(bytes, offset);
  return archive;
}
