import { join } from 'node:path';
import type { PackedTile } from './pack-tile.ts';
import { openScratchFile, type ScratchFile, type FileRange } from './scratch-file.ts';

/** The tiles of one zoom made by one unit, in ascending order. */
export interface ZoomTiles {
  readonly data: FileRange;
  /** Four doubles per tile: id; length of the data, or -1 - the index of the content it repeats; the two hashes. */
  readonly entries: FileRange;
  readonly tiles: number;
}

/** By zoom. */
export type UnitTiles = readonly (ZoomTiles | undefined)[];

/** Stores the tiles that a worker makes, unit by unit, in separate files per zoom. */
export interface TileLog {
  begin(): void;
  /** Within a unit, the tiles of each zoom must be added in ascending order of their ids. */
  add(z: number, tileId: number, tile: PackedTile): void;
  /** Returns the unit's tiles, flushed to files that other threads can read. */
  end(): UnitTiles;
  close(): void;
}

interface Zoom {
  readonly data: ScratchFile;
  readonly entries: ScratchFile;
  dataStart: number;
  entriesStart: number;
  contents: number;
  tiles: number;
  readonly known: Map<number, { readonly hashB: number; readonly ordinal: number }>;
}

const entryBytes = 32;
const maxKnownTiles = 100_000;

/** @param name distinguishes the files of this log from others in the folder */
export function createTileLog(folder: string, name: string): TileLog {
  const zooms: (Zoom | undefined)[] = [];
  const entry = new Float64Array(4);
  const entryView = new Uint8Array(entry.buffer);
  const open = (z: number): Zoom => ({
    data: openScratchFile(join(folder, `${name}-${z}.tiles`)),
    entries: openScratchFile(join(folder, `${name}-${z}.entries`), 1 << 15),
    dataStart: 0,
    entriesStart: 0,
    contents: 0,
    tiles: 0,
    known: new Map(),
  });
  return {
    begin() {
      for (const zoom of zooms) {
        if (zoom === undefined) continue;
        zoom.dataStart = zoom.data.length;
        zoom.entriesStart = zoom.entries.length;
        zoom.contents = 0;
        zoom.tiles = 0;
        zoom.known.clear();
      }
    },
    add(z, tileId, { bytes, hashA, hashB }) {
      const zoom = (zooms[z] ??= open(z));
      const known = hashA === 0 ? undefined : zoom.known.get(hashA);
      const repeats = known?.hashB === hashB;
      entry.set([tileId, repeats ? -1 - known.ordinal : bytes.length, hashA, hashB]);
      zoom.entries.append(entryView);
      zoom.tiles++;
      if (repeats) return;
      zoom.data.append(bytes);
      if (hashA !== 0 && zoom.known.size < maxKnownTiles)
        zoom.known.set(hashA, { hashB, ordinal: zoom.contents });
      zoom.contents++;
    },
    end() {
      return zooms.map((zoom) => {
        if (zoom === undefined || zoom.tiles === 0) return undefined;
        const { data, entries, dataStart, entriesStart, tiles } = zoom;
        data.flush();
        entries.flush();
        return {
          data: { path: data.path, start: dataStart, end: data.length },
          entries: { path: entries.path, start: entriesStart, end: entriesStart + tiles * entryBytes },
          tiles,
        };
      });
    },
    close() {
      for (const zoom of zooms) {
        zoom?.data.close();
        zoom?.entries.close();
      }
    },
  };
}
