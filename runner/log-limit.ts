import type { RunnerLogEntry } from '@platen/contract/runner';

export type LogLine = Omit<RunnerLogEntry, 'operation'>;

/** Lines that pass before the limit applies; a long line counts as several. */
const freeLines = 100_000;
const lineLength = 1000;
/** Interval after that in which `linesInTime` lines pass; the last lines above that wait for the next. */
const everyMs = 400;
const linesInTime = 500;

export interface LogLimit {
  add(line: LogLine): void;
  /** Sends the lines that wait. */
  readonly flush: () => void;
}

/**
 * Limits the log of a job: after the free lines, a flood loses its middle and never its end.
 * @param now monotonic clock in milliseconds
 */
export function limitLog(send: (line: LogLine) => void, now: () => number): LogLimit {
  let spent = 0;
  let beganAt = -Infinity;
  let passed = 0;
  let dropped = 0;
  let waiting: LogLine[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (dropped > 0) send(noticeOf(dropped, waiting[0]!.at));
    for (const line of waiting) send(line);
    waiting = [];
    dropped = 0;
  };
  const begin = () => {
    beganAt = now();
    passed = waiting.length;
    flush();
  };
  return {
    add(line) {
      if (spent < freeLines) {
        spent += 1 + Math.floor(line.message.length / lineLength);
        return send(line);
      }
      if (now() - beganAt >= everyMs) begin();
      if (waiting.length === 0 && passed < linesInTime) {
        passed++;
        return send(line);
      }
      waiting.push(line);
      if (waiting.length > linesInTime) {
        waiting.shift();
        dropped++;
      }
      timer ??= setTimeout(begin, everyMs).unref();
    },
    flush,
  };
}

const noticeOf = (dropped: number, at: string): LogLine => ({
  at,
  level: 'warning',
  message: `${dropped} lines were dropped here, as the job logged too fast.`,
});
