import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { JobFailure } from '../job-type.ts';
import { reportToPool, serveTasks, transferred } from './serve-tasks.ts';

/** A worker for tests of the pool. */
export type PooledTask =
  | { readonly do: 'answer'; readonly with: unknown }
  | { readonly do: 'double'; readonly numbers: Float64Array<ArrayBuffer> }
  | { readonly do: 'sleep' | 'exit' | 'throw late' | 'fill the heap' }
  | { readonly do: 'fail'; readonly code: string }
  | { readonly do: 'lack'; readonly code: string };

const { worker } = workerData as { readonly worker: number };

serveTasks<PooledTask, unknown>(async (task) => {
  switch (task.do) {
    case 'answer':
      reportToPool({ worker });
      return task.with;
    case 'double': {
      const doubled = task.numbers.map((number) => number * 2);
      return transferred({ doubled, worker }, [doubled.buffer]);
    }
    case 'sleep':
      return sleep(60_000);
    case 'exit':
      return process.exit(7);
    case 'throw late':
      setImmediate(() => {
        throw new TypeError('nobody awaits this');
      });
      return sleep(60_000);
    case 'fill the heap':
      for (let held: unknown[] = []; ; held = [held, Array.from({ length: 1000 }, (_, i) => ({ i }))]);
    case 'fail':
      throw new JobFailure(task.code as 'emptyInput', 'The job failed.');
    case 'lack':
      throw Object.assign(new Error('The disk is full.'), { code: task.code });
  }
});
