import { JobFailure, type RunJob } from '../job-type.ts';
import type { tilesVector } from './spec.ts';

/** Not yet built; the interfaces around it stand. */
export const runTilesVector: RunJob<typeof tilesVector> = async () => {
  throw new JobFailure('notImplemented', 'Vector tiles are not built yet.');
};
