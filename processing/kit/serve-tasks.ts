import { parentPort, type Transferable } from 'node:worker_threads';
import { JobFailure } from '../job-type.ts';

/** What a worker sends to its pool. */
export type WorkerMessage<Answer, Report> =
  | { readonly report: Report }
  | { readonly answer: Answer }
  | { readonly error: SentError };

/** An error without its class, which no message keeps. */
export interface SentError {
  readonly isJobFailure: boolean;
  /** The code of the failure, or of an error of the system: `ENOSPC`. */
  readonly code?: string;
  readonly message: string;
  readonly stack?: string | undefined;
}

/** An answer whose buffers move to the pool instead of being copied. */
class Transferred<Answer> {
  readonly answer: Answer;
  readonly list: readonly Transferable[];

  constructor(answer: Answer, list: readonly Transferable[]) {
    this.answer = answer;
    this.list = list;
  }
}

/** Called in a worker: moves these buffers of an answer, which become empty in the worker. */
export function transferred<Answer>(answer: Answer, list: readonly Transferable[]): Transferred<Answer> {
  return new Transferred(answer, list);
}

type Result<Answer> = Answer | Transferred<Answer>;

/** Called in a worker: runs the pool's tasks one after the other. */
export function serveTasks<Task, Answer>(
  handle: (task: Task) => Result<Answer> | Promise<Result<Answer>>,
): void {
  const port = parentPort!;
  port.on('message', (task: Task) => {
    void (async () => {
      try {
        const result = await handle(task);
        if (result instanceof Transferred) port.postMessage({ answer: result.answer }, [...result.list]);
        else port.postMessage({ answer: result });
      } catch (error) {
        port.postMessage({ error: sentError(error) });
      }
    })();
  });
}

/** Called in a worker: sends a report to the pool while a task runs. */
export function reportToPool(report: unknown): void {
  parentPort!.postMessage({ report });
}

function sentError(error: unknown): SentError {
  const { message = String(error), stack, code } = error as Partial<NodeJS.ErrnoException>;
  const isJobFailure = error instanceof JobFailure;
  return { isJobFailure, message, stack, ...(typeof code === 'string' && { code }) };
}
