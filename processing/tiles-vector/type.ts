/** The part of the job type that its own process needs: spec.ts loads TypeBox, which takes longer than the tiler itself. */
export const tilesVectorType = {
  name: 'TilesVector',
  /** Increase it when the same options give a different output. */
  version: 2,
  datasourceType: 'vectortiles',
} as const;
