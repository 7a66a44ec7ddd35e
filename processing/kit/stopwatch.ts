import type { JobContext } from '../job-type.ts';

/** Logs the duration of each phase. */
export interface Stopwatch {
  lap(phase: string, data: Record<string, unknown>): void;
}

export function createStopwatch({ log }: JobContext): Stopwatch {
  let wall = performance.now();
  let before = process.cpuUsage();
  return {
    lap(phase, data) {
      const { user, system } = process.cpuUsage(before);
      const seconds = Math.round(performance.now() - wall) / 1000;
      const cpuSeconds = Math.round((user + system) / 1000) / 1000;
      const megabytes = Math.round(process.memoryUsage.rss() / 2 ** 20);
      log('info', `Phase "${phase}" took ${seconds} s.`, { phase, seconds, cpuSeconds, megabytes, ...data });
      wall = performance.now();
      before = process.cpuUsage();
    },
  };
}
