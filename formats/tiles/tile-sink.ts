import type { ArchiveInfo } from '@platen/geo/pmtiles/writer';

/** Facts about a tileset that are known once all its tiles are made; the metadata are those of a PMTiles archive. */
export type TilesetInfo = Pick<ArchiveInfo, 'metadata' | 'minZoom' | 'maxZoom' | 'bounds' | 'center'>;

/** Writes finished tiles to a file or folder, which gets its name only when it is complete. */
export interface TileSink {
  /**
   * Takes tiles in any order, each once, as the archive stores them: vector tiles gzipped. `packed` may change after the
   * call. Rows count from the north.
   */
  addTile(z: number, x: number, y: number, packed: Uint8Array): void;
  finish(info: TilesetInfo): Promise<void>;
  /** Removes what has been written so far, instead of `finish`. */
  discard(): void;
}
