/** The part of the job type that its own process needs. */
export const tilesMeshType = {
  name: 'TilesMesh',
  /** Increase it when the same options give a different output. */
  version: 4,
  datasourceType: 'tileset',
} as const;
