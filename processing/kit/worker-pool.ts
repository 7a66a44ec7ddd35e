import { once } from 'node:events';
import { parentPort, Worker } from 'node:worker_threads';
import type { FailureCode } from '@platen/contract/failure-codes';
import { JobFailure } from '../job-type.ts';

/** The threads of one job. */
export interface WorkerPool<Task, Answer> {
  /** The maximum number of workers. A worker starts when there is a task that no other is free for. */
  readonly size: number;
  /** Runs a task on the next free worker; tasks start in the order given. @throws what the task threw */
  run(task: Task): Promise<Answer>;
  /** Runs a task once on every started worker as soon as it is free, before all queued tasks. */
  runOnEach(task: Task): Promise<Answer[]>;
  /** The same, and once on every worker that starts later, instead of what was prepared before. */
  prepare(task: Task): Promise<void>;
  close(): Promise<void>;
}

export interface PoolOptions<Report> {
  readonly program: URL;
  readonly size: number;
  /** Passed to every worker, with its index as `worker`. */
  readonly setup: object;
  readonly signal: AbortSignal;
  /** Receives progress that a task reports while it runs. */
  readonly onReport: (report: Report) => void;
}

type WorkerMessage<Answer, Report> =
  | { readonly report: Report }
  | { readonly answer: Answer }
  | {
      readonly error: {
        readonly code?: string;
        readonly message: string;
        readonly stack?: string | undefined;
      };
    };

interface QueuedTask<Task, Answer> {
  readonly task: Task;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

interface PooledWorker<Task, Answer> {
  readonly worker: Worker;
  readonly own: QueuedTask<Task, Answer>[];
  busy: QueuedTask<Task, Answer> | undefined;
}

/** An abort, or the end of any thread, terminates all threads immediately. */
export function createWorkerPool<Task, Answer, Report>({
  program,
  size,
  setup,
  signal,
  onReport,
}: PoolOptions<Report>): WorkerPool<Task, Answer> {
  const waiting: QueuedTask<Task, Answer>[] = [];
  const members: PooledWorker<Task, Answer>[] = [];
  let preparation: Task | undefined;
  let ended: { readonly reason: unknown } | undefined;

  const endAll = (reason: unknown): void => {
    if (ended !== undefined) return;
    ended = { reason };
    signal.removeEventListener('abort', onAbort);
    for (const { worker, own, busy } of members) {
      busy?.reject(reason);
      for (const { reject } of own.splice(0)) reject(reason);
      void worker.terminate();
    }
    for (const { reject } of waiting.splice(0)) reject(reason);
  };
  const onAbort = (): void => endAll(signal.reason);
  const next = (member: PooledWorker<Task, Answer>): void => {
    if (member.busy !== undefined) return;
    member.busy = member.own.shift() ?? waiting.shift();
    if (member.busy !== undefined) member.worker.postMessage(member.busy.task);
  };
  const receive = (member: PooledWorker<Task, Answer>, message: WorkerMessage<Answer, Report>): void => {
    if ('report' in message) return onReport(message.report);
    const { busy } = member;
    member.busy = undefined;
    if ('answer' in message) busy?.resolve(message.answer);
    else busy?.reject(errorOf(message.error));
    next(member);
  };
  const start = (): void => {
    const worker = new Worker(program, { workerData: { ...setup, worker: members.length } });
    const member: PooledWorker<Task, Answer> = { worker, own: [], busy: undefined };
    if (preparation !== undefined) member.own.push({ task: preparation, resolve: () => {}, reject: endAll });
    worker.on('message', (message: WorkerMessage<Answer, Report>) => receive(member, message));
    worker.on('error', endAll);
    worker.on('exit', () => endAll(new Error('A thread of the job ended unexpectedly.')));
    members.push(member);
  };
  start(); // its code loads while the first tasks are made
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort);

  const startMissing = (): void => {
    const free = members.filter(({ busy }) => busy === undefined).length;
    const missing = Math.min(waiting.length - free, size - members.length);
    for (let i = 0; i < missing; i++) start();
  };
  const enqueue = (queue: QueuedTask<Task, Answer>[], task: Task): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (ended !== undefined) return reject(ended.reason);
      queue.push({ task, resolve, reject });
      startMissing();
      for (const member of members) next(member);
    });
  const runOnEach = (task: Task): Promise<Answer[]> =>
    Promise.all(members.map(({ own }) => enqueue(own, task)));
  return {
    size,
    run: (task) => enqueue(waiting, task),
    runOnEach,
    async prepare(task) {
      preparation = task;
      await runOnEach(task);
    },
    async close() {
      const running = members.filter(({ worker }) => worker.threadId >= 0);
      const exits = running.map(({ worker }) => once(worker, 'exit'));
      endAll(new Error('The threads of the job were ended.'));
      await Promise.all(exits);
    },
  };
}

/**
 * Runs many tasks, as many at a time as there are workers. After a failure it starts no further task and waits for the
 * running ones, so that none is still active when the caller retries. @throws the failure
 */
export async function runAll<Task, Answer>(
  pool: WorkerPool<Task, Answer>,
  tasks: readonly Task[],
  onAnswer: (answer: Answer, number: number) => void,
): Promise<void> {
  let next = 0;
  let failed = false;
  const work = async (): Promise<void> => {
    while (next < tasks.length && !failed) {
      const number = next++;
      try {
        onAnswer(await pool.run(tasks[number]!), number);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: pool.size }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Called in a worker: runs the pool's tasks one after the other. */
export function serveTasks<Task, Answer>(handle: (task: Task) => Answer | Promise<Answer>): void {
  const port = parentPort!;
  port.on('message', (task: Task) => {
    void (async () => {
      try {
        port.postMessage({ answer: await handle(task) });
      } catch (error) {
        const { message = String(error), stack } = error as Partial<Error>;
        const code = error instanceof JobFailure ? error.code : undefined;
        port.postMessage({ error: { message, stack, ...(code !== undefined && { code }) } });
      }
    })();
  });
}

/** Called in a worker: sends a report to the pool while a task runs. */
export function reportToPool(report: unknown): void {
  parentPort!.postMessage({ report });
}

function errorOf({
  code,
  message,
  stack,
}: {
  code?: string;
  message: string;
  stack?: string | undefined;
}): Error {
  if (code !== undefined) return new JobFailure(code as FailureCode, message);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
