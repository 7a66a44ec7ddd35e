/** The part of the job type that its own process needs. */
export const tilesObjectType = {
  name: 'TilesObject',
  /** Increase it when the same options give a different output. */
  version: 13,
  datasourceType: 'tileset',
} as const;
