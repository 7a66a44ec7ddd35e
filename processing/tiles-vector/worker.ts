import { workerData } from 'node:worker_threads';
import { reportToPool, serveTasks } from '../kit/serve-tasks.ts';
import { createTilingWorker } from './tiling-worker.ts';
import type { Setup } from './tasks.ts';

/** A thread of the tiler. */
serveTasks(createTilingWorker(workerData as Setup, reportToPool).handle);
