import { decodeDirectory, firstEntryFrom, entryBytes, findEntry, type Directory } from './directory.ts';
import { ArchiveError, compression, decodeHeader, rootSpan, type ArchiveHeader } from './header.ts';
import type { LeafCache } from './leaf-cache.ts';
import { firstTileId, maxIdZoom, tileIdOf } from './tile-id.ts';

/** Reads bytes of the archive file. May return fewer at the end of the file, never more. */
export type ReadRange = (offset: number, length: number) => Promise<Uint8Array>;

/** Byte range of a tile in the archive file. */
export interface TileRange {
  readonly offset: number;
  readonly length: number;
}

/** Tiles of consecutive ids with the same content. */
export interface TileRun extends TileRange {
  readonly tileId: number;
  readonly runLength: number;
}

export interface Archive {
  readonly header: ArchiveHeader;
  /** Approximate memory in bytes, without leaf directories. */
  readonly memory: number;
  /** The JSON metadata. @throws ArchiveError */
  metadata(): Promise<Record<string, unknown>>;
  /** Needs no I/O if the leaf directory is cached. @throws ArchiveError */
  findTile(z: number, x: number, y: number): Promise<TileRange | undefined>;
  /** All tiles from this id on, in the order of their ids. @throws ArchiveError */
  runs(from: number): AsyncGenerator<TileRun>;
}

// Far more than any writer produces, and small enough that a hostile archive cannot exhaust memory. An entry takes at
// least four bytes; writers put a few thousand into a leaf, tens of thousands for a whole planet. Decoding two mebibytes
// takes 15 milliseconds.
const maxDirectoryBytes = 2 * 2 ** 20;
const maxMetadataBytes = 8 * 2 ** 20;
const maxTileBytes = 16 * 2 ** 20;
const maxLeafDepth = 3;

/**
 * Reads header and root directory at once, everything else on demand. Runs in browsers, too.
 * @param leaves decoded leaf directories
 * @throws ArchiveError
 */
export async function readArchive(read: ReadRange, leaves: LeafCache): Promise<Archive> {
  const start = await read(0, rootSpan);
  const header = decodeHeader(start);
  const load = async (offset: number, length: number, maxBytes: number): Promise<Uint8Array> => {
    if (length > maxBytes) throw tooLong();
    const inStart = offset + length <= start.length;
    const bytes = inStart ? start.subarray(offset, offset + length) : await read(offset, length);
    if (bytes.length !== length) throw new ArchiveError('the archive is cut off');
    return inflate(bytes, header.internalCompression, maxBytes);
  };
  const loadDirectory = async (offset: number, length: number): Promise<Directory> =>
    decodeDirectory(await load(offset, length, maxDirectoryBytes));
  const root = await loadDirectory(header.rootOffset, header.rootLength);
  const findLeaf = leaves.forArchive((offset, length) => loadDirectory(header.leavesOffset + offset, length));
  const tileAt = (offset: number, length: number): TileRange => {
    if (length > maxTileBytes) throw new ArchiveError('a tile is too long');
    if (offset + length > header.dataLength) throw new ArchiveError('a tile is outside the tile data');
    return { offset: header.dataOffset + offset, length };
  };

  return {
    header,
    memory: start.length + root.count * entryBytes,
    async metadata() {
      const bytes = await load(header.metadataOffset, header.metadataLength, maxMetadataBytes);
      return bytes.length === 0 ? {} : parseMetadata(bytes);
    },
    async findTile(z, x, y) {
      const side = 2 ** z;
      if (!Number.isInteger(z) || z < 0 || z > maxIdZoom || !inside(x, side) || !inside(y, side))
        return undefined;
      if (z < header.minZoom || z > header.maxZoom) return undefined;
      const tileId = tileIdOf(z, x, y);
      let directory = root;
      for (let depth = 0; depth <= maxLeafDepth; depth++) {
        const entry = findEntry(directory, tileId);
        if (entry < 0) return undefined;
        const offset = directory.offsets[entry]!;
        const length = directory.lengths[entry]!;
        if (directory.runLengths[entry]! > 0) return tileAt(offset, length);
        const leaf = findLeaf(offset, length);
        directory = leaf instanceof Promise ? await leaf : leaf;
      }
      throw new ArchiveError('leaf directories are nested too deep');
    },
    async *runs(from) {
      const start = Math.max(from, firstTileId(header.minZoom));
      const end = firstTileId(Math.min(header.maxZoom, maxIdZoom) + 1);
      for await (const run of runsOf(root, [start, end])) yield { ...run, ...tileAt(run.offset, run.length) };
    },
  };

  /** Each entry ends where the next one starts, so that even a hostile archive yields no id twice. */
  async function* runsOf(
    directory: Directory,
    [from, end]: readonly [number, number],
    depth = 0,
  ): AsyncGenerator<TileRun> {
    if (depth > maxLeafDepth) throw new ArchiveError('leaf directories are nested too deep');
    const { tileIds, runLengths, lengths, offsets, count } = directory;
    for (let i = firstEntryFrom(directory, from); i < count && tileIds[i]! < end; i++) {
      const first = Math.max(from, tileIds[i]!);
      const next = Math.min(end, tileIds[i + 1] ?? Infinity);
      const [run, offset, length] = [runLengths[i]!, offsets[i]!, lengths[i]!];
      if (run === 0) {
        yield* runsOf(await findLeaf(offset, length), [first, next], depth + 1);
        continue;
      }
      const runLength = Math.min(tileIds[i]! + run, next) - first;
      if (runLength > 0) yield { tileId: first, runLength, offset, length };
    }
  }
}

function inside(value: number, side: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < side;
}

function tooLong(): ArchiveError {
  return new ArchiveError('a directory or the metadata is too long');
}

function parseMetadata(bytes: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new ArchiveError('the metadata is not JSON', { cause: error });
  }
  if (typeof value !== 'object' || value === null) throw new ArchiveError('the metadata is not an object');
  return value as Record<string, unknown>;
}

/** @throws ArchiveError */
export async function inflate(bytes: Uint8Array, kind: number, maxBytes: number): Promise<Uint8Array> {
  if (kind === compression.none || bytes.length === 0) return bytes;
  if (kind !== compression.gzip) throw new ArchiveError(`compression ${kind} is not supported`);
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    const stream = new Blob([bytes as Uint8Array<ArrayBuffer>])
      .stream()
      .pipeThrough(new DecompressionStream('gzip'));
    // not every browser iterates over streams
    const reader = stream.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.length;
      if (length > maxBytes) throw tooLong();
      parts.push(next.value);
    }
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError('a directory or the metadata is damaged', { cause: error });
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
