import { setInterval } from 'node:timers';
import { workerData } from 'node:worker_threads';

/**
 * A thread beside the job: while that is busy it does not notice that the runner has gone, so its process would go on
 * for nobody. An orphan has another parent.
 */
const parent = workerData as number;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, 500);
