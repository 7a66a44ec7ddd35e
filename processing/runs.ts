import type { JobSpec, RunJob } from './job-type.ts';

/** The run function of every job type, loaded on demand. Only the runner imports this. */
export const runs: Readonly<Record<string, () => Promise<RunJob<JobSpec>>>> = {
  CheckRunner: async () => (await import('./check-runner/run.ts')).runCheckRunner as RunJob<JobSpec>,
  ConvertRaster: async () => (await import('./convert-raster/run.ts')).runConvertRaster as RunJob<JobSpec>,
  ConvertVector: async () => (await import('./convert-vector/run.ts')).runConvertVector as RunJob<JobSpec>,
  FetchUrl: async () => (await import('./fetch-url/run.ts')).runFetchUrl as RunJob<JobSpec>,
  Inspect: async () => (await import('./inspect/run.ts')).runInspect as RunJob<JobSpec>,
  TilesImagery: async () => (await import('./tiles-imagery/run.ts')).runTilesImagery as RunJob<JobSpec>,
  TilesMesh: async () => (await import('./tiles-mesh/run.ts')).runTilesMesh as RunJob<JobSpec>,
  TilesObject: async () => (await import('./tiles-object/run.ts')).runTilesObject as RunJob<JobSpec>,
  TilesPointcloud: async () =>
    (await import('./tiles-pointcloud/run.ts')).runTilesPointcloud as RunJob<JobSpec>,
  TilesTerrain: async () => (await import('./tiles-terrain/run.ts')).runTilesTerrain as RunJob<JobSpec>,
  TilesVector: async () => (await import('./tiles-vector/run.ts')).runTilesVector as RunJob<JobSpec>,
};
