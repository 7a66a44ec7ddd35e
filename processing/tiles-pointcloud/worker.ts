import { workerData } from 'node:worker_threads';
import { serveTasks } from '../kit/serve-tasks.ts';
import { createPointWorker } from './point-worker.ts';
import type { Setup } from './tasks.ts';

/** A thread of the point cloud job. */
const worker = createPointWorker(workerData as Setup);
serveTasks((task: Parameters<typeof worker.handle>[0]) => worker.handle(task));
