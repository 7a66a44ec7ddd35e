import type { WorkerPool } from './worker-pool.ts';

/**
 * Runs many tasks, as many at a time as there are workers. A task is made when a worker is free for it, so tasks that
 * hold data may be made from a stream. After a failure no further task starts, and the running ones are waited for, so
 * that none is still active when the caller retries.
 * @param onAnswer gets the task's position in `tasks`; answers come in any order. While it is pending, its worker waits.
 * @throws the failure
 */
export async function runAll<Task, Answer>(
  pool: Pick<WorkerPool<Task, Answer>, 'size' | 'run'>,
  tasks: Iterable<Task> | AsyncIterable<Task>,
  onAnswer: (answer: Answer, number: number) => void | Promise<void>,
): Promise<void> {
  const next = takeInTurn(tasks);
  let hasFailed = false;
  const work = async (): Promise<void> => {
    try {
      for (let taken = await next(); taken !== undefined && !hasFailed; taken = await next())
        await onAnswer(await pool.run(taken.task), taken.number);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: pool.size }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Lets several loops share an iterator: each call waits for the former. */
function takeInTurn<Task>(tasks: Iterable<Task> | AsyncIterable<Task>) {
  const iterator = Symbol.asyncIterator in tasks ? tasks[Symbol.asyncIterator]() : tasks[Symbol.iterator]();
  let number = 0;
  let former: Promise<unknown> = Promise.resolve();
  return (): Promise<{ readonly task: Task; readonly number: number } | undefined> => {
    const taken = former.then(async () => {
      const { done, value } = await iterator.next();
      return done === true ? undefined : { task: value, number: number++ };
    });
    former = taken.catch(() => {});
    return taken;
  };
}
