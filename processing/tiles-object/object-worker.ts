import { findTask } from './find-task.ts';
import { readTask } from './read-task.ts';
import type { Answer, Setup, Task } from './tasks.ts';
import { createTileMaker } from './tile-task.ts';

/** Handles the tasks of one thread: reads models, and makes tiles. */
export function createObjectWorker(setup: Setup): (task: Task) => Promise<Answer> {
  let tileMaker: ReturnType<typeof createTileMaker> | undefined;
  return async (task) => {
    if (task.kind === 'read') return readTask(setup, task);
    if (task.kind === 'find') return findTask(setup, task);
    tileMaker ??= createTileMaker(setup);
    return (await tileMaker)(task);
  };
}
