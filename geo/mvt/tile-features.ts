import type { Words } from '../shape/words.ts';

/** The features that a tile may show, as records (feature-record.ts) with what is left of their shapes here. */
export interface TileFeatures {
  /** In input order, as often as it is asked. What `visit` is given is valid until it returns. */
  each(visit: (store: Words, record: number, shape: number) => void): void;
}
