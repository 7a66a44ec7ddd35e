export interface MadeTile {
  /** Mapbox Vector Tile 2.1, valid until the next tile is made. */
  readonly bytes: Uint8Array;
  /** The same, compressed by `gzip`. */
  readonly packed: Uint8Array;
  readonly features: number;
  /** Features left out because the uncompressed tile would have exceeded `maxTileBytes`. */
  readonly refused: number;
  /** Features left out to keep the limits. */
  readonly dropped: number;
  /** Features merged into others to keep the limits. */
  readonly coalesced: number;
  /** Features that represent several points, before any was dropped; some are in the buffer. */
  readonly clusters: number;
  /** Polygons that were invalid after simplification or rounding, and were made valid. */
  readonly repaired: number;
  /** Polygons too complex to repair, which were left invalid. */
  readonly unrepaired: number;
}
