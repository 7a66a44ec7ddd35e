import { Worker } from 'node:worker_threads';

/** Watches its parent as the process of a job does where the system cannot, and is busy. For tests. */
const worker = new Worker(new URL('./watch-parent.ts', import.meta.url), { workerData: process.ppid });
worker.once('online', () => {
  process.send!('busy', () => {
    for (;;);
  });
});
