/** The part of the job type that its own process needs. */
export const tilesPointcloudType = {
  name: 'TilesPointcloud',
  /** Increase it when the same options give a different output. */
  version: 7,
  datasourceType: 'tileset',
} as const;
