import { cutTask } from './cut-task.ts';
import { findTask, readTask } from './read-task.ts';
import type { Answer, Setup, Task } from './tasks.ts';
import { createTileMaker } from './tile-task.ts';

/** Handles the tasks of one thread: reads models, cuts them into cells, and makes tiles. */
export function createMeshWorker(setup: Setup): (task: Task) => Promise<Answer> {
  let tileMaker: ReturnType<typeof createTileMaker> | undefined;
  return async (task) => {
    switch (task.kind) {
      case 'find':
        return findTask(setup, task.model);
      case 'read':
        return readTask(setup, task.model, task.origin);
      case 'cut':
        return cutTask(setup, task);
      case 'tile':
        tileMaker ??= createTileMaker(setup);
        return (await tileMaker)(task);
    }
  };
}
