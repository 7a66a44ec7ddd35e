import { open } from 'node:fs/promises';
import { hilbertOf } from '@platen/geo/hilbert/hilbert';
import { openArchive } from '@platen/geo/pmtiles/archive';
import type { TileRun } from '@platen/geo/pmtiles/read-archive';
import { firstTileId } from '@platen/geo/pmtiles/tile-id';
import { tilesOf } from './merge-tiles.ts';
import { hashTile, type PackedTile } from './pack-tile.ts';
import { createTileLog, type UnitTiles } from './tile-log.ts';

/** A tile of an archive with all that is below it, down to a zoom. */
export interface TileTree {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly bottomZoom: number;
}

/** Tiles of an archive that an earlier job has made. */
export interface FormerTiles {
  /**
   * Copies the tiles of a tree, as they are packed. @param instead tiles that replace those of the same place, all with bytes
   * @throws ArchiveError
   */
  copy(tree: TileTree, instead?: UnitTiles): Promise<UnitTiles>;
  close(): Promise<void>;
}

interface FormerOptions {
  readonly archive: string;
  /** For the copies. */
  readonly folder: string;
  /** Distinguishes their files from others in the folder. */
  readonly name: string;
  /** Whether small equal tiles are stored once, as in the archive. */
  readonly sharesEqual: boolean;
}

/** Bytes that are read in vain rather than read one by one. */
const maxGap = 1 << 16;

/** @throws ArchiveError */
export async function openFormerTiles({
  archive: path,
  folder,
  name,
  sharesEqual,
}: FormerOptions): Promise<FormerTiles> {
  const file = await open(path);
  const log = createTileLog(folder, name);
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    const bytes = new Uint8Array(length);
    const { bytesRead } = await file.read(bytes, 0, length, offset);
    return bytes.subarray(0, bytesRead);
  };
  const close = async (): Promise<void> => {
    log.close();
    await file.close();
  };
  try {
    const archive = await openArchive(read);
    return {
      async copy({ z: rootZoom, x, y, bottomZoom }, instead = []) {
        log.begin();
        for (let z = rootZoom; z <= bottomZoom; z++) {
          // along the Hilbert curve, what is below a tile is in one piece
          const perRoot = 4 ** (z - rootZoom);
          const first = firstTileId(z) + hilbertOf(rootZoom, x, y) * perRoot;
          const runs: TileRun[] = [];
          for await (const run of archive.runs(first)) {
            if (run.tileId >= first + perRoot) break;
            runs.push({ ...run, runLength: Math.min(run.runLength, first + perRoot - run.tileId) });
          }
          const bytesOf = await readRuns(runs, read);
          const replaced = new Map<number, PackedTile>();
          for (const { tileId, bytes, hashA, hashB } of tilesOf([instead], z))
            replaced.set(tileId, { bytes: bytes!.slice(), hashA, hashB });
          for (const run of runs) {
            const bytes = await bytesOf(run);
            const tile = { bytes, ...(sharesEqual ? hashTile(bytes) : { hashA: 0, hashB: 0 }) };
            for (let id = run.tileId; id < run.tileId + run.runLength; id++)
              log.add(z, id, replaced.get(id) ?? tile);
          }
        }
        return log.end();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Read = (offset: number, length: number) => Promise<Uint8Array>;

/** Reads runs at once where they lie beside each other, as all do that do not repeat others. */
async function readRuns(
  runs: readonly TileRun[],
  read: Read,
): Promise<(run: TileRun) => Promise<Uint8Array>> {
  const start = Math.min(...runs.map(({ offset }) => offset));
  const end = Math.max(...runs.map(({ offset, length }) => offset + length));
  const sum = runs.reduce((bytes, { length }) => bytes + length, 0);
  if (runs.length < 2 || end - start > sum + maxGap) return ({ offset, length }) => read(offset, length);
  const all = await read(start, end - start);
  return async ({ offset, length }) => all.subarray(offset - start, offset - start + length);
}
