import type { Int32Buffer } from '../shape/int32-buffer.ts';

/** The features that a tile may show, as records (feature-record.ts) with their shapes as clipped for the tile. */
export interface TileFeatures {
  /** Visits features in input order, any number of times. Arguments are valid until `visit` returns. */
  each(visit: (store: Int32Buffer, record: number, shape: number) => void): void;
}
