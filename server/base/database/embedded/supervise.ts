import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './files.ts';
import type { RunningServer } from './launch.ts';

const QUICK_DEATH_MS = 30_000;
const QUICK_DEATHS_ALLOWED = 5;
const FIRST_BACKOFF_MS = 50;

/**
 * Restarts the server until `stopping` aborts. Gives up after more than five failures in a row, each within 30 s of
 * its
 * start; the backoff doubles from 50 ms to 800 ms.
 * @returns a description of the last end
 */
export async function superviseServer(
  first: RunningServer,
  start: () => Promise<RunningServer>,
  stopping: AbortSignal,
  log: Log,
): Promise<string> {
  let server: RunningServer | undefined = first;
  let end = '';
  for (let quickDeaths = 0; ;) {
    const startMs = performance.now();
    if (server !== undefined) {
      end = await server.ended;
      if (stopping.aborted) return end;
      log(`PostgreSQL ended unexpectedly (${end}); restarting it`);
    }
    quickDeaths = performance.now() - startMs < QUICK_DEATH_MS ? quickDeaths + 1 : 1;
    if (quickDeaths > QUICK_DEATHS_ALLOWED) return `${end}, after ${quickDeaths - 1} failed restarts`;
    await sleep(FIRST_BACKOFF_MS * 2 ** (quickDeaths - 1), undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return end;
    server = await start().catch((error: unknown) => {
      end = error instanceof Error ? error.message : String(error);
      if (!stopping.aborted) log(end);
      return undefined;
    });
    if (server === undefined && stopping.aborted) return end;
  }
}
