import { workerData } from 'node:worker_threads';
import { serveTasks } from '../kit/serve-tasks.ts';
import { createImageryWorker } from './imagery-worker.ts';
import type { Setup, Task } from './tasks.ts';

/** A thread of the imagery job. */
const worker = createImageryWorker(workerData as Setup);
serveTasks(async (task: Task) => (await worker).handle(task));
