/**
 * The zoom where a tile unit is one unit of the integer grid that everything is computed on. Apart from spec.ts, as
 * typebox takes a thread of the tiler longer to load than all the rest of it.
 */
export const deepestZoom = 18;
