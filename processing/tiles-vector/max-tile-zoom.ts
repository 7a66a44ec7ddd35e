/**
 * The zoom at which a tile unit is one unit of the integer grid that all computations use. It is not in spec.ts
 * because
 * typebox takes a worker thread longer to load than the rest of the tiler.
 */
export const maxTileZoom = 18;
