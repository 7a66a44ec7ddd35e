import { workerData } from 'node:worker_threads';
import { serveTasks } from '../kit/serve-tasks.ts';
import { createObjectWorker } from './object-worker.ts';
import type { Setup } from './tasks.ts';

/** A thread of the job. */
serveTasks(createObjectWorker(workerData as Setup));
