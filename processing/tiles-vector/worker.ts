import { workerData } from 'node:worker_threads';
import { reportToPool, serveTasks } from '../kit/serve-tasks.ts';
import { createTilingWorker } from './tiling-worker.ts';
import type { Setup } from './tasks.ts';

/** A thread of the tiler. */
const worker = createTilingWorker(workerData as Setup, reportToPool);
serveTasks((task: Parameters<typeof worker.handle>[0]) => worker.handle(task));
