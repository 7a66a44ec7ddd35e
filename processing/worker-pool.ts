import { once } from 'node:events';
import { parentPort, Worker } from 'node:worker_threads';
import type { FailureCode } from '@platen/contract/failure-codes';
import { JobFailure } from './job-type.ts';

/** Threads that do the tasks of one job. */
export interface WorkerPool<Task, Answer> {
  readonly size: number;
  /** On the next free worker; tasks begin in the order they were given. @throws what the task threw */
  run(task: Task): Promise<Answer>;
  /** Once on every worker, when it is free, before all tasks that wait. */
  runOnEach(task: Task): Promise<Answer[]>;
  close(): Promise<void>;
}

export interface PoolOptions<Note> {
  readonly program: URL;
  readonly size: number;
  /** Given to every worker, with its number as `worker`. */
  readonly setup: object;
  readonly signal: AbortSignal;
  /** What a task tells while it runs. */
  readonly onNote: (note: Note) => void;
}

type Told<Answer, Note> =
  | { readonly note: Note }
  | { readonly answer: Answer }
  | {
      readonly error: {
        readonly code?: string;
        readonly message: string;
        readonly stack?: string | undefined;
      };
    };

interface Waiting<Task, Answer> {
  readonly task: Task;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

interface Member<Task, Answer> {
  readonly worker: Worker;
  readonly own: Waiting<Task, Answer>[];
  busy: Waiting<Task, Answer> | undefined;
}

/** An abort ends all threads at once, in the middle of whatever they do; so does the end of any one of them. */
export function createWorkerPool<Task, Answer, Note>({
  program,
  size,
  setup,
  signal,
  onNote,
}: PoolOptions<Note>): WorkerPool<Task, Answer> {
  const waiting: Waiting<Task, Answer>[] = [];
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
  const next = (member: Member<Task, Answer>): void => {
    if (member.busy !== undefined) return;
    member.busy = member.own.shift() ?? waiting.shift();
    if (member.busy !== undefined) member.worker.postMessage(member.busy.task);
  };
  const hear = (member: Member<Task, Answer>, told: Told<Answer, Note>): void => {
    if ('note' in told) return onNote(told.note);
    const { busy } = member;
    member.busy = undefined;
    if ('answer' in told) busy?.resolve(told.answer);
    else busy?.reject(errorOf(told.error));
    next(member);
  };
  const members = Array.from({ length: size }, (_, number): Member<Task, Answer> => {
    const worker = new Worker(program, { workerData: { ...setup, worker: number } });
    const member: Member<Task, Answer> = { worker, own: [], busy: undefined };
    worker.on('message', (told: Told<Answer, Note>) => hear(member, told));
    worker.on('error', endAll);
    worker.on('exit', () => endAll(new Error('A thread of the job ended unexpectedly.')));
    return member;
  });
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort);

  const enqueue = (queue: Waiting<Task, Answer>[], task: Task): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (ended !== undefined) return reject(ended.reason);
      queue.push({ task, resolve, reject });
      for (const member of members) next(member);
    });
  return {
    size,
    run: (task) => enqueue(waiting, task),
    runOnEach: (task) => Promise.all(members.map(({ own }) => enqueue(own, task))),
    async close() {
      const running = members.filter(({ worker }) => worker.threadId >= 0);
      const exits = running.map(({ worker }) => once(worker, 'exit'));
      endAll(new Error('The threads of the job were ended.'));
      await Promise.all(exits);
    },
  };
}

/**
 * Runs many tasks, a new one whenever one is done. After a failure no further task begins; those that run
 * are waited for, so that nothing goes on behind the back of whoever begins anew. @throws the failure
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

/** In a worker: does the tasks that its pool gives it, one after the other. */
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

/** In a worker: tells its pool something while a task runs. */
export function tellPool(note: unknown): void {
  parentPort!.postMessage({ note });
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
