import type { ArchiveInfo } from '@platen/geo/pmtiles/writer';

/** What is known of a tileset once all its tiles are made; the metadata are those of a PMTiles archive. */
export type TilesetInfo = Pick<ArchiveInfo, 'metadata' | 'minZoom' | 'maxZoom' | 'bounds' | 'center'>;

/** Where finished vector tiles go: a file or a folder, which bears its name only when it is whole. */
export interface TileSink {
  /** In any order, each tile once; `packed` is gzip and may change after the call. Rows count from the north. */
  addTile(z: number, x: number, y: number, packed: Uint8Array): void;
  finish(info: TilesetInfo): Promise<void>;
  /** Removes what has been written so far, instead of `finish`. */
  discard(): void;
}
