import type { JobContext } from '../job-type.ts';
import type { WorkerPool } from '../kit/worker-pool.ts';
import type { PyramidShape } from '../raster-source/zoom-layers.ts';
import type { TerrainCheckpoint } from './checkpoint.ts';
import type { Answer, Task } from './tasks.ts';
import type { FormerTerrain } from './update.ts';

/** What both parts of a run need: that of the pyramid, and that of the tiles. */
export interface TerrainRun {
  readonly shape: PyramidShape;
  readonly pool: WorkerPool<Task, Answer>;
  readonly checkpoint: TerrainCheckpoint;
  readonly context: Pick<JobContext, 'progress' | 'signal'>;
  /** Of all sheets; undefined if the content of one is unknown: no update goes on from this run. */
  readonly identities: readonly string[] | undefined;
  /** What an update takes over. */
  readonly former: FormerTerrain | undefined;
}
