import { connect, type Socket } from 'node:net';

export interface LoadOptions {
  readonly port: number;
  /** What is asked for, in turn. */
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
    const socket: Socket = connect(port, '127.0.0.1');
    let count = 0;
    let turn = first;
    let left = -1; // bytes of the present reply still to come; -1: its head is not complete
    let head = '';
    const ask = () => socket.write(requests[turn++ % requests.length]!);
    const done = () => {
      count++;
      left = -1;
      head = '';
      if (performance.now() < deadline) return ask();
      socket.destroy();
      return resolve(count);
    };
    socket.setNoDelay(true);
    socket.on('connect', ask);
    socket.on('error', reject);
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
        return reject(new Error(`The server answered ${status}: ${head.slice(0, 1000)}`));
      const length = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end + 2))?.[1];
      if (length === undefined) return reject(new Error(`A reply without a length: ${head.slice(0, 300)}`));
      left = Number(length) - (head.length - end - 4);
      if (left === 0) done();
    });
  });
}

/** Asks both in turn, after a warm-up that does not count. @returns ours / theirs of each round */
export async function compareRates(
  { ours, theirs, rounds }: { ours: LoadOptions; theirs: LoadOptions; rounds: number },
  tell: (ourRate: number, theirRate: number) => void,
): Promise<number[]> {
  for (const options of [ours, theirs, ours]) await measureRate(options);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const [ourRate, theirRate] = [await measureRate(ours), await measureRate(theirs)];
    tell(ourRate, theirRate);
    ratios.push(ourRate / theirRate);
  }
  return ratios;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!;
