import { connect, type Socket } from 'node:net';

export interface LoadOptions {
  readonly port: number;
  /** Paths requested in turn. */
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly durationMs: number;
}

/**
 * Asks as fast as the server answers, over keep-alive connections on loopback, one request at a time on each.
 * A bare socket and the least parsing that finds the end of a reply: the load generator must not be the bottleneck.
 * @returns replies per second
 * @throws Error when a reply is not a 2xx
 */
export async function measureRate(options: LoadOptions): Promise<number> {
  const requests = options.paths.map((path) => Buffer.from(requestText(path, options.headers)));
  const start = performance.now();
  const deadline = start + options.durationMs;
  const workers = Array.from({ length: options.connections }, (_, index) =>
    drive(options.port, requests, index, deadline),
  );
  const counts = await Promise.all(workers);
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - start) / 1000);
}

function requestText(path: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

function drive(port: number, requests: readonly Buffer[], first: number, deadline: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0;
    let turn = first;
    const ask = () => connection.ask(requests[turn++ % requests.length]!);
    const connection = talk(port, {
      onReady: ask,
      onReply: () => {
        count++;
        if (performance.now() < deadline) return ask();
        connection.end();
        return resolve(count);
      },
      onError: reject,
    });
  });
}

interface Talk {
  readonly onReady: () => void;
  /** A reply has come whole. */
  readonly onReply: () => void;
  readonly onError: (error: Error) => void;
}

/** One connection, for one request at a time. */
function talk(port: number, { onReady, onReply, onError }: Talk) {
  const socket: Socket = connect(port, '127.0.0.1');
  let left = -1; // bytes of the present reply still to come; -1: its head is not complete
  let head = '';
  const done = () => {
    left = -1;
    head = '';
    onReply();
  };
  socket.setNoDelay(true);
  socket.on('connect', onReady);
  socket.on('error', onError);
  socket.on('data', (chunk) => {
    if (left >= 0) {
      left -= chunk.length;
      if (left === 0) done();
      return;
    }
    head += chunk.toString('latin1');
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    const status = head.slice(9, 12);
    if (!status.startsWith('2'))
      return onError(new Error(`The server answered ${status}: ${head.slice(0, 1000)}`));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end + 2))?.[1];
    if (length === undefined) return onError(new Error(`A reply without a length: ${head.slice(0, 300)}`));
    left = Number(length) - (head.length - end - 4);
    if (left === 0) done();
  });
  return { ask: (request: Buffer) => socket.write(request), end: () => socket.destroy() };
}

/**
 * Asks at a steady rate, whatever the answers take, as many users together do: what has to wait for a connection counts
 * its waiting. @returns the times in ms, ascending
 */
export async function measureLatencies(
  options: LoadOptions & { readonly ratePerSecond: number },
): Promise<number[]> {
  const requests = options.paths.map((path) => Buffer.from(requestText(path, options.headers)));
  const total = Math.round((options.ratePerSecond * options.durationMs) / 1000);
  const latencies: number[] = [];
  const dueTimes: number[] = [];
  const idle: { use(due: number): void }[] = [];
  const all: { end(): void }[] = [];
  await new Promise<void>((resolve, reject) => {
    let turn = 0;
    for (let i = 0; i < options.connections; i++) {
      let due = 0;
      const me = {
        use(at: number) {
          due = at;
          connection.ask(requests[turn++ % requests.length]!);
        },
      };
      const rest = () => {
        const next = dueTimes.shift();
        if (next === undefined) idle.push(me);
        else me.use(next);
      };
      const connection = talk(options.port, {
        onReady: rest,
        onReply: () => {
          latencies.push(performance.now() - due);
          if (latencies.length === total) resolve();
          else rest();
        },
        onError: reject,
      });
      all.push(connection);
    }
    const start = performance.now();
    let sent = 0;
    const timer = setInterval(() => {
      const now = performance.now();
      for (; sent < total && start + (sent * 1000) / options.ratePerSecond <= now; sent++) {
        const at = start + (sent * 1000) / options.ratePerSecond;
        const free = idle.shift(); // each in turn: one that is never used is closed by the server
        if (free) free.use(at);
        else dueTimes.push(at);
      }
      if (sent === total) clearInterval(timer);
    }, 1);
  }).finally(() => {
    for (const connection of all) connection.end();
  });
  return latencies.toSorted((a, b) => a - b);
}

/** Asks both in turn, after a warm-up that does not count. @returns ours / theirs of each round */
export async function compareRates(
  { ours, theirs, rounds }: { ours: LoadOptions; theirs: LoadOptions; rounds: number },
  report: (ourRate: number, theirRate: number) => void,
): Promise<number[]> {
  for (const options of [ours, theirs, ours]) await measureRate(options);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const [ourRate, theirRate] = [await measureRate(ours), await measureRate(theirs)];
    report(ourRate, theirRate);
    ratios.push(ourRate / theirRate);
  }
  return ratios;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!;
