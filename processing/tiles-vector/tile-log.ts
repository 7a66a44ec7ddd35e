import { join } from 'node:path';
import type { PackedTile } from './pack-tile.ts';
import { openScratchFile, type ScratchFile, type Stretch } from './scratch.ts';

/** The tiles of one zoom that one unit of the work made, ascending. */
export interface ZoomTiles {
  readonly data: Stretch;
  /** Per tile four doubles: id; length in the data, or -1 - which of the unit's contents it repeats; the two hashes. */
  readonly entries: Stretch;
  readonly tiles: number;
}

/** By zoom. */
export type UnitTiles = readonly (ZoomTiles | undefined)[];

/** Takes the tiles that a worker makes, unit after unit, each zoom into files of its own. */
export interface TileLog {
  begin(): void;
  /** Within a unit the tiles of each zoom come in ascending order of their ids. */
  add(z: number, tileId: number, tile: PackedTile): void;
  /** What the unit has made, in files that others can read. */
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
const mostKnown = 100_000;

/** @param name tells the files of this log from those of others in the folder */
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
      if (hashA !== 0 && zoom.known.size < mostKnown)
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
