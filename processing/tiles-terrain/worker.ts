import { workerData } from 'node:worker_threads';
import { serveTasks } from '../kit/serve-tasks.ts';
import type { Setup } from './tasks.ts';
import { createTerrainWorker } from './terrain-worker.ts';

/** A thread of the terrain job. */
serveTasks(createTerrainWorker(workerData as Setup).handle);
