import { BytesError } from '@platen/formats/bytes/bytes';
import { ArchiveError } from '@platen/geo/pmtiles/header';
import type { CallMessage, FailedMessage, ParserMessage, RequestMessage } from './messages.ts';

/**
 * The program of a parser process. It has no environment, no network and no files but the code of Platen; bytes come from
 * the service by calls of the host's methods.
 */

process.once('disconnect', () => process.exit(0)); // the service has gone

const calls = new Map<number, PromiseWithResolvers<unknown>>();
let lastCall = 0;

/** Calls whatever method a task names, in the service. */
const host = new Proxy(
  {},
  {
    get:
      (_target, method: string) =>
      (...args: unknown[]) =>
        call(method, args),
  },
);

process.on('message', (message: RequestMessage) => {
  if (message.type === 'parse') void parse(message.module, message.input);
  else answerCall(message.id, message);
});
send({ type: 'ready' });

function send(message: ParserMessage): void {
  process.send!(message);
}

function call(method: string, args: CallMessage['args']): Promise<unknown> {
  const pending = Promise.withResolvers<unknown>();
  const id = ++lastCall;
  calls.set(id, pending);
  send({ type: 'call', id, method, args });
  return pending.promise;
}

function answerCall(id: number, { value, isFailed }: { value?: unknown; isFailed?: true }): void {
  const pending = calls.get(id);
  calls.delete(id);
  if (isFailed) pending?.reject(new Error('The service could not answer a call of the parser.'));
  else pending?.resolve(value);
}

async function parse(module: string, input: unknown): Promise<void> {
  try {
    const task = (await import(module)) as { parse: (input: unknown, host: unknown) => unknown };
    send({ type: 'answer', answer: await task.parse(input, host) });
  } catch (error) {
    const { message = String(error), stack } = error as Partial<Error>;
    send({ type: 'failed', kind: kindOf(error), message, stack });
  }
}

function kindOf(error: unknown): FailedMessage['kind'] {
  if (error instanceof BytesError) return 'bytes';
  return error instanceof ArchiveError ? 'archive' : 'bug';
}
