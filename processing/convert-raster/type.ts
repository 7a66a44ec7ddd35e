/** The part of the job type that its own process needs. */
export const convertRasterType = {
  name: 'ConvertRaster',
  /** Increase it when the same options give a different output. */
  version: 9,
  datasourceType: 'cog',
} as const;
