// A worker thread that requests paths in turn until it is told to stop, and sends the response times.
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

export interface ReaderSettings {
  readonly url: string;
  readonly token: string;
  readonly paths: readonly string[];
}

/** In milliseconds, by path. */
export type ReadTimes = Record<string, number[]>;

const { url, token, paths } = workerData as ReaderSettings;
const times: ReadTimes = Object.fromEntries(paths.map((path) => [path, []]));
let isOver = false;
parentPort!.once('message', () => (isOver = true));
while (!isOver) {
  for (const path of paths) {
    const start = performance.now();
    const reply = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    await reply.arrayBuffer();
    if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
    times[path]!.push(performance.now() - start);
    await sleep(20);
  }
}
parentPort!.postMessage(times);
