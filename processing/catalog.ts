import { checkRunner } from './check-runner/spec.ts';
import { convertRaster } from './convert-raster/spec.ts';
import { convertVector } from './convert-vector/spec.ts';
import { fetchUrl } from './fetch-url/spec.ts';
import { inspect } from './inspect/spec.ts';
import type { JobSpec, TaskSpec } from './job-type.ts';
import { publishApp, publishDatasource, publishScenario } from './publish/spec.ts';
import { tilesImagery } from './tiles-imagery/spec.ts';
import { tilesMesh } from './tiles-mesh/spec.ts';
import { tilesObject } from './tiles-object/spec.ts';
import { tilesPointcloud } from './tiles-pointcloud/spec.ts';
import { tilesTerrain } from './tiles-terrain/spec.ts';
import { tilesVector } from './tiles-vector/spec.ts';

/** Every job type by name. */
export const catalog: Readonly<Record<string, JobSpec | TaskSpec>> = {
  [tilesVector.name]: tilesVector,
  [tilesTerrain.name]: tilesTerrain,
  [tilesMesh.name]: tilesMesh,
  [tilesObject.name]: tilesObject,
  [tilesImagery.name]: tilesImagery,
  [tilesPointcloud.name]: tilesPointcloud,
  [convertRaster.name]: convertRaster,
  [convertVector.name]: convertVector,
  [fetchUrl.name]: fetchUrl,
  [inspect.name]: inspect,
  [checkRunner.name]: checkRunner,
  [publishApp.name]: publishApp,
  [publishDatasource.name]: publishDatasource,
  [publishScenario.name]: publishScenario,
};

/** The job types that a task can name. The server validates with them and the web draws its forms from them. */
export const taskSpecs = (): TaskSpec[] => Object.values(catalog).filter(isTaskSpec);

function isTaskSpec(spec: JobSpec | TaskSpec): spec is TaskSpec {
  return spec.permission !== undefined;
}

/** Like findJobSpec, restricted to the job types that a task can name. */
export function findTaskSpec(jobType: string): TaskSpec | undefined {
  const spec = findJobSpec(jobType);
  return spec !== undefined && isTaskSpec(spec) ? spec : undefined;
}

/**
 * Finds a job type by name. Any lowercase prefix (letters and digits, starting with a letter, possibly empty) is
 * accepted before the name: `platenTilesVector` and `xyTilesVector` are the same; and the name that the type has on other servers.
 */
export function findJobSpec(jobType: string): JobSpec | undefined {
  const name = /^(?:[a-z][a-z0-9]*)?([A-Z][A-Za-z0-9]*)$/.exec(jobType)?.[1];
  if (name !== undefined && Object.hasOwn(catalog, name)) return catalog[name];
  return Object.values<JobSpec>(catalog).find(({ otherName }) => otherName === jobType);
}
