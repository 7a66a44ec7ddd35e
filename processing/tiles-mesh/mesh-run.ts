import type { JobContext } from '../job-type.ts';
import type { Checkpoint } from '../kit/checkpoint.ts';
import type { WorkerPool } from '../kit/worker-pool.ts';
import type { FoundMeshes } from './find-models.ts';
import type { Settings } from './settings.ts';
import type { Answer, Task } from './tasks.ts';

/** What the phases of a job share. */
export interface MeshRun {
  readonly settings: Settings;
  readonly found: FoundMeshes;
  readonly pool: WorkerPool<Task, Answer>;
  readonly checkpoint: Checkpoint<Record<string, never>, Answer>;
  readonly context: JobContext;
  readonly folder: string;
  /** For readers of all threads together that take much memory, in bytes. */
  readonly readerBytes: number;
}
