import { decodeDirectory, entryAt, findEntry, type Directory } from './directory.ts';
import { ArchiveError, compression, decodeHeader, rootSpan, type ArchiveHeader } from './header.ts';
import { firstTileId, highestZoom, tileIdOf } from './tile-id.ts';

/** Bytes of the archive file. May return fewer at the end of the file, never more. */
export type ReadRange = (offset: number, length: number) => Promise<Uint8Array>;

/** Where a tile lies in the archive file, in bytes from its start. */
export interface TileRange {
  readonly offset: number;
  readonly length: number;
}

/** Tiles of consecutive ids that have the same content. */
export interface TileRun extends TileRange {
  readonly tileId: number;
  readonly runLength: number;
}

export interface Archive {
  readonly header: ArchiveHeader;
  /** The JSON metadata. @throws ArchiveError */
  metadata(): Promise<Record<string, unknown>>;
  /** Settles without input or output where the leaf directory is cached. @throws ArchiveError */
  findTile(z: number, x: number, y: number): Promise<TileRange | undefined>;
  /** All tiles that it has from this id on, in the order of their ids. @throws ArchiveError */
  runs(from: number): AsyncGenerator<TileRun>;
}

export interface ArchiveOptions {
  /** How many entries of leaf directories stay decoded; 24 bytes each. */
  readonly cachedEntries?: number;
}

/** Far above what any writer makes, and small enough that a hostile archive cannot fill the memory. */
const longestDirectoryBytes = 64 * 2 ** 20;
const deepestLeaf = 3;

/** Reads header and root directory at once, everything else when it is asked for. @throws ArchiveError */
export async function openArchive(read: ReadRange, options: ArchiveOptions = {}): Promise<Archive> {
  const start = await read(0, rootSpan);
  const header = decodeHeader(start);
  const load = async (offset: number, length: number): Promise<Uint8Array> => {
    if (length > longestDirectoryBytes) throw new ArchiveError('a directory or the metadata is too long');
    const inStart = offset + length <= start.length;
    const bytes = inStart ? start.subarray(offset, offset + length) : await read(offset, length);
    if (bytes.length !== length) throw new ArchiveError('the archive is cut off');
    return inflate(bytes, header.internalCompression);
  };
  const root = decodeDirectory(await load(header.rootOffset, header.rootLength));
  const leaves = createLeafCache(options.cachedEntries ?? 1_000_000, async (offset, length) =>
    decodeDirectory(await load(header.leavesOffset + offset, length)),
  );

  return {
    header,
    async metadata() {
      const bytes = await load(header.metadataOffset, header.metadataLength);
      return bytes.length === 0 ? {} : parseMetadata(bytes);
    },
    async findTile(z, x, y) {
      const side = 2 ** z;
      if (!Number.isInteger(z) || z < 0 || z > highestZoom || !inside(x, side) || !inside(y, side))
        return undefined;
      if (z < header.minZoom || z > header.maxZoom) return undefined;
      const tileId = tileIdOf(z, x, y);
      let directory = root;
      for (let depth = 0; depth <= deepestLeaf; depth++) {
        const entry = findEntry(directory, tileId);
        if (entry < 0) return undefined;
        const offset = directory.offsets[entry]!;
        const length = directory.lengths[entry]!;
        if (directory.runLengths[entry]! > 0) return { offset: header.dataOffset + offset, length };
        const leaf = leaves.find(offset, length);
        directory = leaf instanceof Promise ? await leaf : leaf;
      }
      throw new ArchiveError('leaf directories are nested too deep');
    },
    async *runs(from) {
      const start = Math.max(from, firstTileId(header.minZoom));
      const end = firstTileId(Math.min(header.maxZoom, highestZoom) + 1);
      for await (const run of runsOf(root, [start, end]))
        yield { ...run, offset: header.dataOffset + run.offset };
    },
  };

  /** Each entry answers for the ids up to the next one: so also of a hostile archive nothing comes twice. */
  async function* runsOf(
    directory: Directory,
    [from, end]: readonly [number, number],
    depth = 0,
  ): AsyncGenerator<TileRun> {
    if (depth > deepestLeaf) throw new ArchiveError('leaf directories are nested too deep');
    const { tileIds, runLengths, lengths, offsets, count } = directory;
    for (let i = entryAt(directory, from); i < count && tileIds[i]! < end; i++) {
      const first = Math.max(from, tileIds[i]!);
      const next = Math.min(end, tileIds[i + 1] ?? Infinity);
      const [run, offset, length] = [runLengths[i]!, offsets[i]!, lengths[i]!];
      if (run === 0) {
        yield* runsOf(await leaves.find(offset, length), [first, next], depth + 1);
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

/** Keeps the directories used last, bounded by their entries; one read serves all who wait for the same leaf. */
function createLeafCache(
  cachedEntries: number,
  load: (offset: number, length: number) => Promise<Directory>,
): { find(offset: number, length: number): Directory | Promise<Directory> } {
  const ready = new Map<number, Directory>();
  const loading = new Map<number, Promise<Directory>>();
  let entries = 0;
  const keep = (offset: number, directory: Directory): void => {
    ready.set(offset, directory);
    entries += directory.count;
    for (const [oldest, old] of ready) {
      if (entries <= cachedEntries || oldest === offset) break;
      ready.delete(oldest);
      entries -= old.count;
    }
  };
  return {
    find(offset, length) {
      const known = ready.get(offset);
      if (known !== undefined) {
        // Renews its place: a Map iterates in the order of insertion.
        ready.delete(offset);
        ready.set(offset, known);
        return known;
      }
      let pending = loading.get(offset);
      if (pending === undefined) {
        pending = load(offset, length)
          .then((directory) => {
            keep(offset, directory);
            return directory;
          })
          .finally(() => loading.delete(offset));
        loading.set(offset, pending);
      }
      return pending;
    },
  };
}

function parseMetadata(bytes: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new ArchiveError('the metadata is no JSON', { cause: error });
  }
  if (typeof value !== 'object' || value === null) throw new ArchiveError('the metadata is no object');
  return value as Record<string, unknown>;
}

async function inflate(bytes: Uint8Array, kind: number): Promise<Uint8Array> {
  if (kind === compression.none || bytes.length === 0) return bytes;
  if (kind !== compression.gzip) throw new ArchiveError(`internal compression ${kind} is not supported`);
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    const stream = new Blob([bytes as Uint8Array<ArrayBuffer>])
      .stream()
      .pipeThrough(new DecompressionStream('gzip'));
    for await (const part of stream) {
      length += part.length;
      if (length > longestDirectoryBytes) throw new ArchiveError('a directory or the metadata is too long');
      parts.push(part);
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
