import { workerData } from 'node:worker_threads';
import { serveTasks } from '../kit/serve-tasks.ts';
import { createMeshWorker } from './mesh-worker.ts';
import type { Setup } from './tasks.ts';

/** A thread of the job. */
serveTasks(createMeshWorker(workerData as Setup));
