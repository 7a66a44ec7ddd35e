import { cutTask } from './cut-task.ts';
import { createTileConverter } from './keep/convert-task.ts';
import { surveyTask } from './keep/survey-task.ts';
import { findTask, readTask } from './read-task.ts';
import type { Answer, Setup, Task } from './tasks.ts';
import { createTileMaker } from './tile-task.ts';

/** Handles the tasks of one thread: reads models, cuts them into cells, and makes tiles; or converts those of tilesets. */
export function createMeshWorker(setup: Setup): (task: Task) => Promise<Answer> {
  let tileMaker: ReturnType<typeof createTileMaker> | undefined;
  let converter: ReturnType<typeof createTileConverter> | undefined;
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
      case 'survey':
        return surveyTask(setup, task.model);
      case 'convert':
        converter ??= createTileConverter(setup);
        return (await converter)(task);
    }
  };
}
