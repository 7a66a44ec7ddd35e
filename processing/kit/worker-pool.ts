import type { FailureCode } from '@platen/contract/failure-codes';
import { once } from 'node:events';
import { Worker, type Transferable } from 'node:worker_threads';
import { JobFailure } from '../job-type.ts';
import type { SentError, WorkerMessage } from './serve-tasks.ts';

/** The threads of one job. */
export interface WorkerPool<Task, Answer> {
  /** The maximum number of workers. A worker starts when there is a task that no other is free for. */
  readonly size: number;
  /**
   * Runs a task on the next free worker; tasks start in the order given. `runAll` makes tasks only as fast as they run.
   * @param transfer buffers of the task that move to the worker instead of being copied
   * @throws what the task threw; DeadWorker; RangeError if too many tasks wait
   */
  run(task: Task, transfer?: readonly Transferable[]): Promise<Answer>;
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
  /** The tasks that may wait; 1000 by default. */
  readonly maxWaiting?: number;
}

/** A worker ended while its pool was open. The cause is its uncaught error, if it had one. */
export class DeadWorker extends Error {
  /** The code of the cause: `ERR_WORKER_OUT_OF_MEMORY`. */
  readonly code: string | undefined;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DeadWorker';
    const { code } = (cause ?? {}) as { readonly code?: unknown };
    this.code = typeof code === 'string' ? code : undefined;
  }
}

interface QueuedTask<Task, Answer> {
  readonly task: Task;
  readonly transfer: readonly Transferable[] | undefined;
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
  maxWaiting = 1000,
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
    while (member.busy === undefined) {
      const queued = member.own.shift() ?? waiting.shift();
      if (queued === undefined) return;
      try {
        member.worker.postMessage(queued.task, queued.transfer as Transferable[]);
        member.busy = queued;
      } catch (error) {
        queued.reject(error); // it cannot be sent to a thread
      }
    }
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
    const number = members.length;
    const worker = new Worker(program, { workerData: { ...setup, worker: number } });
    const member: PooledWorker<Task, Answer> = { worker, own: [], busy: undefined };
    if (preparation !== undefined)
      member.own.push({ task: preparation, transfer: undefined, resolve: () => {}, reject: endAll });
    worker.on('message', (message: WorkerMessage<Answer, Report>) => receive(member, message));
    worker.on('messageerror', (error) => endAll(diedOf(number, error)));
    worker.on('error', (error) => endAll(diedOf(number, error)));
    worker.on('exit', (code) =>
      endAll(new DeadWorker(`Thread ${number} of the job ended with exit code ${code}.`)),
    );
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
  const enqueue = (
    queue: QueuedTask<Task, Answer>[],
    task: Task,
    transfer?: readonly Transferable[],
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (ended !== undefined) return reject(ended.reason);
      queue.push({ task, transfer, resolve, reject });
      startMissing();
      for (const member of members) next(member);
    });
  const runOnEach = (task: Task): Promise<Answer[]> =>
    Promise.all(members.map(({ own }) => enqueue(own, task)));
  return {
    size,
    async run(task, transfer) {
      if (waiting.length >= maxWaiting)
        throw new RangeError(`${waiting.length} tasks wait for ${size} threads: make them with runAll.`);
      return enqueue(waiting, task, transfer);
    },
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

function diedOf(number: number, error: unknown): DeadWorker {
  const { message = String(error) } = error as Partial<Error>;
  return new DeadWorker(`Thread ${number} of the job died: ${message}`, error);
}

function errorOf({ isJobFailure, code, message, stack }: SentError): Error {
  if (isJobFailure) return new JobFailure(code as FailureCode, message);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return Object.assign(error, code !== undefined && { code });
}
