/** The part of the job type that its own process needs. */
export const tilesImageryType = {
  name: 'TilesImagery',
  /** Increase it when the same options give a different output. */
  version: 9,
  datasourceType: 'tms',
} as const;
