import { takeTurn } from './take-turn.ts';
import type { WorkerPool } from './worker-pool.ts';

interface InlineOptions<Task, Answer> {
  /** What a worker would do with a task. */
  readonly handle: (task: Task) => Answer | Promise<Answer>;
  readonly signal: AbortSignal;
  /** Closes the files that the tasks have left open. */
  readonly close?: () => Promise<void>;
}

/**
 * A pool of one worker that is no thread: its tasks run one after the other in this one. For jobs so small that a
 * thread would take longer to start than to work. An abort is noticed between two tasks,
 * and where a long one takes turns.
 */
export function createInlinePool<Task, Answer>({
  handle,
  signal,
  close = async () => {},
}: InlineOptions<Task, Answer>): WorkerPool<Task, Answer> {
  let former: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  const run = (task: Task): Promise<Answer> => {
    const answered = former.then(async () => {
      await takeTurn(signal);
      if (isClosed) throw new Error('The pool was closed.');
      return handle(task);
    });
    former = answered.catch(() => {});
    return answered;
  };
  return {
    size: 1,
    run,
    runOnEach: async (task) => [await run(task)],
    prepare: async (task) => void (await run(task)),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await former;
      await close();
    },
  };
}
