import { convertVector } from './convert-vector/spec.ts';
import type { JobSpec } from './job-type.ts';
import { tilesVector } from './tiles-vector/spec.ts';

/** Every job type by name. The server validates with it, the web draws its forms from it. */
export const catalog: Readonly<Record<string, JobSpec>> = {
  [tilesVector.name]: tilesVector,
  [convertVector.name]: convertVector,
};

/**
 * The job type that a task names: any lowercase prefix (letters and digits, the first a letter, possibly
 * empty) before a known name, so that `platenTilesVector` and `xyTilesVector` are the same.
 */
export function findJobSpec(jobType: string): JobSpec | undefined {
  const name = /^(?:[a-z][a-z0-9]*)?([A-Z][A-Za-z0-9]*)$/.exec(jobType)?.[1];
  return name !== undefined && Object.hasOwn(catalog, name) ? catalog[name] : undefined;
}
