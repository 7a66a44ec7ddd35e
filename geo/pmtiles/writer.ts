import { createDirectory, encodeDirectory, type Directory } from './directory.ts';
import { compression, encodeHeader, headerLength, rootSpan, type ArchiveHeader } from './header.ts';
import { tileIdOf } from './tile-id.ts';

/** An append-only stretch of bytes outside the memory. */
export interface ScratchLog {
  readonly length: number;
  append(bytes: Uint8Array): void;
  /** Everything appended so far, in order; each part is valid until the next is taken. */
  parts(): Iterable<Uint8Array>;
  remove(): void;
}

export interface ArchiveWriterOptions {
  readonly openScratch: (name: string) => ScratchLog;
  readonly gzip: (bytes: Uint8Array) => Uint8Array;
}

export interface ArchiveInfo {
  readonly tileType: number;
  readonly metadata: Record<string, unknown>;
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly bounds: ArchiveHeader['bounds'];
  readonly center: ArchiveHeader['center'];
}

/** Writes into the archive file; a promise makes the writer wait. */
export type WriteAt = (offset: number, bytes: Uint8Array) => void | Promise<void>;

export interface ArchiveWriter {
  /** Tiles of one zoom must come in ascending Hilbert order. Returns the stored length in bytes. */
  addTile(z: number, x: number, y: number, bytes: Uint8Array): number;
  finish(info: ArchiveInfo, write: WriteAt): Promise<ArchiveHeader>;
}

interface Zoom {
  readonly data: ScratchLog;
  readonly entries: ScratchLog;
  /** Tile id, offset in this zoom's data, length, run length of the entry not yet written. */
  readonly last: Float64Array;
  readonly lastBytes: Uint8Array;
  entryCount: number;
  tiles: number;
}

interface KnownTile {
  readonly offset: number;
  readonly length: number;
}

const longestKnownTile = 2048;
const knownTilesBytes = 32 * 2 ** 20;

/**
 * Writes a clustered PMTiles v3 archive of any size with little memory. A depth-first walk in Hilbert order
 * makes the tiles of each zoom in ascending order, so each zoom gets a log of its own, and the logs one after
 * the other are the clustered archive. Equal small tiles of one zoom are stored once.
 */
export function createArchiveWriter({ openScratch, gzip }: ArchiveWriterOptions): ArchiveWriter {
  const zooms: (Zoom | undefined)[] = [];
  const latin1 = new TextDecoder('latin1');
  // Keyed by the zoom and the very bytes, so two tiles can never be mistaken for each other.
  const known = new Map<string, KnownTile>();
  let knownBytes = 0;
  let contents = 0;

  const remember = (key: string, tile: KnownTile): void => {
    known.set(key, tile);
    knownBytes += key.length;
    for (const oldest of known.keys()) {
      if (knownBytes <= knownTilesBytes) break;
      known.delete(oldest);
      knownBytes -= oldest.length;
    }
  };
  const store = (zoom: Zoom, bytes: Uint8Array): KnownTile => {
    const packed = gzip(bytes);
    const tile = { offset: zoom.data.length, length: packed.length };
    zoom.data.append(packed);
    contents++;
    return tile;
  };

  return {
    addTile(z, x, y, bytes) {
      const zoom = (zooms[z] ??= openZoom(openScratch, z));
      const tileId = tileIdOf(z, x, y);
      let tile: KnownTile | undefined;
      if (bytes.length <= longestKnownTile) {
        const key = String.fromCharCode(z) + latin1.decode(bytes);
        tile = known.get(key);
        if (tile === undefined) remember(key, (tile = store(zoom, bytes)));
      } else tile = store(zoom, bytes);
      addEntry(zoom, tileId, tile);
      return tile.length;
    },

    async finish(info, write) {
      let offset = rootSpan;
      const bases: number[] = [];
      for (const [z, zoom] of zooms.entries()) {
        bases[z] = offset - rootSpan;
        if (zoom === undefined) continue;
        flushEntry(zoom);
        for (const part of zoom.data.parts()) {
          await write(offset, part);
          offset += part.length;
        }
        zoom.data.remove();
      }
      const counts = { addressedTiles: 0, tileEntries: 0, tileContents: contents };
      for (const zoom of zooms) {
        counts.addressedTiles += zoom?.tiles ?? 0;
        counts.tileEntries += zoom?.entryCount ?? 0;
      }
      const leavesOffset = offset;
      const entries = (): Iterable<Float64Array> => entriesOf(zooms, bases);
      const { root, leavesLength } = await writeDirectories(counts.tileEntries, entries, gzip, (at, bytes) =>
        write(leavesOffset + at, bytes),
      );
      const metadata = gzip(new TextEncoder().encode(JSON.stringify(info.metadata)));
      const header: ArchiveHeader = {
        rootOffset: headerLength,
        rootLength: root.length,
        metadataOffset: leavesOffset + leavesLength,
        metadataLength: metadata.length,
        leavesOffset,
        leavesLength,
        dataOffset: rootSpan,
        dataLength: leavesOffset - rootSpan,
        ...counts,
        clustered: true,
        internalCompression: compression.gzip,
        tileCompression: compression.gzip,
        tileType: info.tileType,
        minZoom: info.minZoom,
        maxZoom: info.maxZoom,
        bounds: info.bounds,
        center: info.center,
      };
      await write(header.metadataOffset, metadata);
      const start = new Uint8Array(rootSpan);
      start.set(encodeHeader(header));
      start.set(root, headerLength);
      await write(0, start);
      for (const zoom of zooms) zoom?.entries.remove();
      return header;
    },
  };
}

function openZoom(openScratch: (name: string) => ScratchLog, z: number): Zoom {
  const last = new Float64Array(4);
  return {
    data: openScratch(`tiles-${z}`),
    entries: openScratch(`entries-${z}`),
    last,
    lastBytes: new Uint8Array(last.buffer),
    entryCount: 0,
    tiles: 0,
  };
}

function addEntry(zoom: Zoom, tileId: number, tile: KnownTile): void {
  const { last } = zoom;
  const runs = last[3]!;
  if (runs > 0 && tileId < last[0]! + runs)
    throw new Error('the tiles of a zoom must ascend in Hilbert order');
  zoom.tiles++;
  if (runs > 0 && tileId === last[0]! + runs && tile.offset === last[1]) {
    last[3] = runs + 1;
    return;
  }
  flushEntry(zoom);
  last[0] = tileId;
  last[1] = tile.offset;
  last[2] = tile.length;
  last[3] = 1;
}

function flushEntry(zoom: Zoom): void {
  if (zoom.last[3] === 0) return;
  zoom.entries.append(zoom.lastBytes);
  zoom.entryCount++;
  zoom.last[3] = 0;
}

/** Every entry with its offset in the whole archive's tile data; the same array each time. */
function* entriesOf(
  zooms: readonly (Zoom | undefined)[],
  bases: readonly number[],
): Generator<Float64Array, void> {
  const entry = new Float64Array(4);
  const bytes = new Uint8Array(entry.buffer);
  for (const [z, zoom] of zooms.entries()) {
    if (zoom === undefined) continue;
    let have = 0;
    for (const part of zoom.entries.parts()) {
      for (let at = 0; at < part.length;) {
        const take = Math.min(32 - have, part.length - at);
        bytes.set(part.subarray(at, at + take), have);
        have += take;
        at += take;
        if (have < 32) break;
        have = 0;
        entry[1]! += bases[z]!;
        yield entry;
      }
    }
  }
}

/** One root directory if it fits into the first 16 KiB, else leaves as small as the root can list. */
async function writeDirectories(
  count: number,
  entries: () => Iterable<Float64Array>,
  gzip: (bytes: Uint8Array) => Uint8Array,
  write: WriteAt,
): Promise<{ root: Uint8Array; leavesLength: number }> {
  const roomForRoot = rootSpan - headerLength;
  if (count <= rootSpan) {
    const directory = createDirectory(count);
    let i = 0;
    for (const entry of entries()) setEntry(directory, i++, entry);
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
    const flush = async (): Promise<void> => {
      const bytes = gzip(encodeDirectory(leaf, 0, filled));
      await write(leavesLength, bytes);
      setEntry(rootDirectory, leaves++, [leaf.tileIds[0]!, leavesLength, bytes.length, 0]);
      leavesLength += bytes.length;
      filled = 0;
    };
    for (const entry of entries()) {
      setEntry(leaf, filled++, entry);
      if (filled === leafSize) await flush();
    }
    if (filled > 0) await flush();
    const root = gzip(encodeDirectory(rootDirectory));
    // Otherwise larger leaves overwrite these; what follows them in the file is written afterwards anyway.
    if (root.length <= roomForRoot) return { root, leavesLength };
  }
}

function setEntry(directory: Directory, i: number, entry: ArrayLike<number>): void {
  directory.tileIds[i] = entry[0]!;
  directory.offsets[i] = entry[1]!;
  directory.lengths[i] = entry[2]!;
  directory.runLengths[i] = entry[3]!;
}
