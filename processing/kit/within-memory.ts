import type { WorkerPool } from './worker-pool.ts';

type TaskPool<Task, Answer> = Pick<WorkerPool<Task, Answer>, 'size' | 'run'>;

/**
 * A pool that starts a task only while all that are running fit into memory together; one of any size may run alone.
 * @param bytesOf what a task takes besides what threads are planned with; 0: it never waits
 */
export function withinMemory<Task, Answer>(
  pool: TaskPool<Task, Answer>,
  limitBytes: number,
  bytesOf: (task: Task) => number,
): TaskPool<Task, Answer> {
  let used = 0;
  let waiting: (() => void)[] = [];
  return {
    size: pool.size,
    async run(task, transfer) {
      const bytes = bytesOf(task);
      while (bytes > 0 && used > 0 && used + bytes > limitBytes)
        await new Promise<void>((resolve) => waiting.push(resolve));
      used += bytes;
      try {
        return await pool.run(task, transfer);
      } finally {
        used -= bytes;
        const awake = waiting;
        waiting = [];
        for (const wake of awake) wake();
      }
    },
  };
}
