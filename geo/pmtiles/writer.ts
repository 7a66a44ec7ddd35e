import { createDirectory, encodeDirectory, type Directory } from './directory.ts';
import { compression, encodeHeader, headerLength, rootSpan, type ArchiveHeader } from './header.ts';

/** Append-only storage for bytes, outside of main memory. */
export interface ScratchLog {
  readonly length: number;
  append(bytes: Uint8Array): void;
  /** Everything appended so far, in order; each part is valid until the next is taken. */
  parts(): Iterable<Uint8Array>;
  remove(): void;
}

export interface ArchiveWriterOptions {
  /** Writes into the archive file. */
  readonly write: (offset: number, bytes: Uint8Array) => void;
  /** Holds the directory's entries while tiles are added: 32 bytes each. */
  readonly entries: ScratchLog;
  /** Compresses directories and metadata. */
  readonly gzip: (bytes: Uint8Array) => Uint8Array;
}

export interface ArchiveInfo {
  readonly tileType: number;
  /** Compression of the tiles added; see `compression` in header.ts. */
  readonly tileCompression: number;
  readonly metadata: Record<string, unknown>;
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly bounds: ArchiveHeader['bounds'];
  readonly center: ArchiveHeader['center'];
}

/** Byte range of a tile in the tile data. */
export interface StoredTile {
  readonly offset: number;
  readonly length: number;
}

export interface ArchiveWriter {
  /** Tiles must be added in ascending order of their ids. @param bytes stored as they are; not retained */
  addTile(tileId: number, bytes: Uint8Array): StoredTile;
  /** Adds a tile with the bytes of an earlier one. */
  addDuplicate(tileId: number, stored: StoredTile): void;
  finish(info: ArchiveInfo): ArchiveHeader;
}

const bufferBytes = 1 << 20;

/** Writes a clustered PMTiles v3 archive of any size with little memory, front to back and the header last. */
export function createArchiveWriter({ write, entries, gzip }: ArchiveWriterOptions): ArchiveWriter {
  const buffer = new Uint8Array(bufferBytes);
  let buffered = 0;
  let dataLength = 0;
  // Tile id, offset, length, run length of the entry not yet written.
  const last = new Float64Array(4);
  const lastBytes = new Uint8Array(last.buffer);
  const counts = { addressedTiles: 0, tileEntries: 0, tileContents: 0 };

  const flushData = (): void => {
    if (buffered > 0) write(rootSpan + dataLength - buffered, buffer.subarray(0, buffered));
    buffered = 0;
  };
  const flushEntry = (): void => {
    if (last[3] === 0) return;
    entries.append(lastBytes);
    counts.tileEntries++;
    last[3] = 0;
  };
  const addEntry = (tileId: number, { offset, length }: StoredTile): void => {
    const runs = last[3]!;
    if (runs > 0 && tileId < last[0]! + runs)
      throw new Error('tiles must come in ascending order of their ids');
    counts.addressedTiles++;
    if (runs > 0 && tileId === last[0]! + runs && offset === last[1]) {
      last[3] = runs + 1;
      return;
    }
    flushEntry();
    last.set([tileId, offset, length, 1]);
  };

  return {
    addTile(tileId, bytes) {
      const stored = { offset: dataLength, length: bytes.length };
      if (buffered + bytes.length > bufferBytes) flushData();
      if (bytes.length > bufferBytes) write(rootSpan + dataLength, bytes);
      else {
        buffer.set(bytes, buffered);
        buffered += bytes.length;
      }
      dataLength += bytes.length;
      counts.tileContents++;
      addEntry(tileId, stored);
      return stored;
    },
    addDuplicate: addEntry,
    finish({ metadata, ...info }) {
      flushData();
      flushEntry();
      const leavesOffset = rootSpan + dataLength;
      const { root, leavesLength } = writeDirectories(counts.tileEntries, entries, gzip, (at, bytes) =>
        write(leavesOffset + at, bytes),
      );
      const packed = gzip(new TextEncoder().encode(JSON.stringify(metadata)));
      const header: ArchiveHeader = {
        rootOffset: headerLength,
        rootLength: root.length,
        metadataOffset: leavesOffset + leavesLength,
        metadataLength: packed.length,
        leavesOffset,
        leavesLength,
        dataOffset: rootSpan,
        dataLength,
        ...counts,
        clustered: true,
        internalCompression: compression.gzip,
        ...info,
      };
      write(header.metadataOffset, packed);
      const start = new Uint8Array(rootSpan);
      start.set(encodeHeader(header));
      start.set(root, headerLength);
      write(0, start);
      entries.remove();
      return header;
    },
  };
}

/** Yields every entry in the same reused array. */
function* entriesOf(log: ScratchLog): Generator<Float64Array, void> {
  const entry = new Float64Array(4);
  const bytes = new Uint8Array(entry.buffer);
  let have = 0;
  for (const part of log.parts()) {
    for (let at = 0; at < part.length;) {
      const take = Math.min(32 - have, part.length - at);
      bytes.set(part.subarray(at, at + take), have);
      have += take;
      at += take;
      if (have < 32) break;
      have = 0;
      yield entry;
    }
  }
}

/**
 * Writes a single root directory if it fits into the first 16 KiB, otherwise leaves as small as the root can list.
 */
function writeDirectories(
  count: number,
  entries: ScratchLog,
  gzip: (bytes: Uint8Array) => Uint8Array,
  write: (at: number, bytes: Uint8Array) => void,
): { root: Uint8Array; leavesLength: number } {
  const roomForRoot = rootSpan - headerLength;
  if (count <= rootSpan) {
    const directory = createDirectory(count);
    let i = 0;
    for (const entry of entriesOf(entries)) setEntry(directory, i++, entry);
    const root = gzip(encodeDirectory(directory));
    if (root.length <= roomForRoot) return { root, leavesLength: 0 };
  }
  for (let leafSize = 4096; ; leafSize *= 2) {
    const rootDirectory = createDirectory(Math.ceil(count / leafSize));
    if (rootDirectory.count > roomForRoot) continue;
    const leaf = createDirectory(Math.min(leafSize, count));
    let leavesLength = 0;
    let leaves = 0;
    let filled = 0;
    const flush = (): void => {
      const bytes = gzip(encodeDirectory(leaf, 0, filled));
      write(leavesLength, bytes);
      setEntry(rootDirectory, leaves++, [leaf.tileIds[0]!, leavesLength, bytes.length, 0]);
      leavesLength += bytes.length;
      filled = 0;
    };
    for (const entry of entriesOf(entries)) {
      setEntry(leaf, filled++, entry);
      if (filled === leafSize) flush();
    }
    if (filled > 0) flush();
    const root = gzip(encodeDirectory(rootDirectory));
    // Larger leaves overwrite these; what follows them in the file is written later anyway.
    if (root.length <= roomForRoot) return { root, leavesLength };
  }
}

function setEntry(directory: Directory, i: number, entry: ArrayLike<number>): void {
  directory.tileIds[i] = entry[0]!;
  directory.offsets[i] = entry[1]!;
  directory.lengths[i] = entry[2]!;
  directory.runLengths[i] = entry[3]!;
}
