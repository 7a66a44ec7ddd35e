import type { Readable, Writable } from 'node:stream';

/** A message of the protocol, https://chromedevtools.github.io/devtools-protocol/ */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: Params;
  readonly error?: { readonly message: string };
}
export type Params = Readonly<Record<string, unknown>>;

export interface Devtools {
  /** @throws what the browser refuses, or that it has ended */
  send(method: string, params?: Params, sessionId?: string): Promise<Params>;
  on(method: string, listener: (params: Params) => void): void;
}

/** Speaks with a browser that was started with `--remote-debugging-pipe`: JSON that zeros end. */
export function openDevtools(input: Writable, output: Readable): Devtools {
  const waiting = new Map<number, PromiseWithResolvers<Params>>();
  const listeners = new Map<string, (params: Params) => void>();
  let lastId = 0;
  const receive = ({ id, method, params = {}, result = {}, error }: Message): void => {
    if (method !== undefined) return listeners.get(method)?.(params);
    const answer = waiting.get(id!);
    waiting.delete(id!);
    if (error) answer?.reject(new Error(error.message));
    else answer?.resolve(result);
  };
  let parts: Buffer[] = [];
  output.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, from)) {
      receive(JSON.parse(Buffer.concat([...parts, chunk.subarray(from, end)]).toString()) as Message);
      parts = [];
      from = end + 1;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  });
  const end = () => {
    for (const { reject } of waiting.values()) reject(new Error('The browser has ended.'));
    waiting.clear();
  };
  output.on('close', end);
  input.on('error', end);
  return {
    send(method, params = {}, sessionId) {
      const answer = Promise.withResolvers<Params>();
      const id = ++lastId;
      waiting.set(id, answer);
      input.write(
        `${JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) })}\0`,
      );
      return answer.promise;
    },
    on: (method, listener) => void listeners.set(method, listener),
  };
}
