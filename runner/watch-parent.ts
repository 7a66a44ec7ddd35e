import { setInterval } from 'node:timers';
import { workerData } from 'node:worker_threads';

/**
 * A thread that kills the process when its parent changes, which means that the runner has died. The main thread may
 * be too busy to notice.
 */
const parent = workerData as number;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, 500);
