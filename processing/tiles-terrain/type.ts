/** The part of the job type that its own process needs. */
export const tilesTerrainType = {
  name: 'TilesTerrain',
  /** Increase it when the same options give a different output. */
  version: 6,
  datasourceType: 'qmesh',
} as const;
