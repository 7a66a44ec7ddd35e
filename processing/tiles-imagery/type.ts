/** The part of the job type that its own process needs. */
export const tilesImageryType = {
  name: 'TilesImagery',
  /** Increase it when the same options give a different output. */
  version: 8,
  datasourceType: 'tms',
} as const;
