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
  onAnswer: OnAnswer<Answer>,
): Promise<void> {
  return runLoops(pool, takeInTurn(tasks), onAnswer);
}

/**
 * The same for tasks that share much of what they read with those beside them in the list: each worker runs tasks that follow each
 * other, and half of the largest rest of another when it has no more.
 * @param tasks made when a worker is free for them
 */
export async function runSideBySide<Task, Answer>(
  pool: Pick<WorkerPool<Task, Answer>, 'size' | 'run'>,
  tasks: readonly (() => Task)[],
  onAnswer: OnAnswer<Answer>,
): Promise<void> {
  const next = divideAmong(pool.size, tasks.length);
  const take = async (loop: number) => {
    const number = next(loop);
    return number === undefined ? undefined : { task: tasks[number]!(), number };
  };
  return runLoops(pool, take, onAnswer);
}

type OnAnswer<Answer> = (answer: Answer, number: number) => void | Promise<void>;
interface Taken<Task> {
  readonly task: Task;
  readonly number: number;
}

async function runLoops<Task, Answer>(
  pool: Pick<WorkerPool<Task, Answer>, 'size' | 'run'>,
  next: (loop: number) => Promise<Taken<Task> | undefined>,
  onAnswer: OnAnswer<Answer>,
): Promise<void> {
  let hasFailed = false;
  const work = async (loop: number): Promise<void> => {
    try {
      for (let taken = await next(loop); taken !== undefined && !hasFailed; taken = await next(loop))
        await onAnswer(await pool.run(taken.task), taken.number);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: pool.size }, (_, loop) => work(loop)));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Numbers from 0 to `count`, for each loop those of a range. */
function divideAmong(loops: number, count: number): (loop: number) => number | undefined {
  const ranges = Array.from({ length: loops }, (_, i) => ({
    next: Math.floor((i * count) / loops),
    end: Math.floor(((i + 1) * count) / loops),
  }));
  return (loop) => {
    const own = ranges[loop]!;
    if (own.next === own.end) {
      const largest = ranges.reduce((a, b) => (b.end - b.next > a.end - a.next ? b : a));
      const middle = Math.ceil((largest.next + largest.end) / 2);
      own.next = middle;
      own.end = largest.end;
      largest.end = middle;
    }
    return own.next < own.end ? own.next++ : undefined;
  };
}

/** Lets several loops share an iterator: each call waits for the former. */
function takeInTurn<Task>(tasks: Iterable<Task> | AsyncIterable<Task>) {
  const iterator = Symbol.asyncIterator in tasks ? tasks[Symbol.asyncIterator]() : tasks[Symbol.iterator]();
  let number = 0;
  let former: Promise<unknown> = Promise.resolve();
  return (): Promise<Taken<Task> | undefined> => {
    const taken = former.then(async () => {
      const { done, value } = await iterator.next();
      return done === true ? undefined : { task: value, number: number++ };
    });
    former = taken.catch(() => {});
    return taken;
  };
}
