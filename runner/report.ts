import type { JobWarning } from '@platen/contract/jobs';
import type { RunnerLogEntry } from '@platen/contract/runner';
import { isLeaseLost, isRejected, withRetry, type JobClient } from './job-client.ts';
import { trackPhases, type PhaseProgress } from './phases.ts';

/** Most jobs end within the first interval, and are reported in one request. */
const firstFlushMs = 250;
const flushEveryMs = 400;
const maxBatch = 500;
/** A character takes up to six bytes as JSON, and the service accepts eight MiB. */
const maxBatchCharacters = 1_000_000;
/** The maximum size of an example. */
const countCharacters = 4_000;
/** A request on a dead connection is given up after this time. */
const requestTimeoutMs = 60_000;
const endRetryMs = 5000;

export interface Report {
  progress(progress: PhaseProgress): void;
  warnings(warnings: readonly JobWarning[]): void;
  log(entry: Omit<RunnerLogEntry, 'operation'>): void;
  allWarnings(): JobWarning[];
  /** Sends what is left, for `limitMs` at most, and closes the report. A further call may shorten the time. */
  close(limitMs?: number): Promise<void>;
}

/** Sends progress, warnings and log lines of a job in batches; a failed batch is sent with the next. */
export function startReport(client: JobClient, jobId: string): Report {
  const phases = trackPhases(() => performance.now());
  let warnings: readonly JobWarning[] = [];
  let hasNewWarnings = false;
  let sentLines = 0;
  const lines: RunnerLogEntry[] = [];
  const params = { jobId };
  const closing = new AbortController();
  const requestSignal = () => AbortSignal.any([closing.signal, AbortSignal.timeout(requestTimeoutMs)]);

  const sendProgress = async (): Promise<void> => {
    const changes = phases.take();
    if (!changes) return;
    const news = hasNewWarnings && { warnings: [...warnings] };
    hasNewWarnings = false;
    try {
      const body = { ...changes, ...news };
      await client.postRunnerJobProgress({ params, body, signal: requestSignal() }).catch(ignoreRejected);
    } catch (error) {
      phases.restore(changes);
      hasNewWarnings ||= news !== false;
      throw error;
    }
  };
  const sendLines = async (): Promise<void> => {
    while (lines.length > 0) {
      const entries = batchOf(lines);
      const body = { first: sentLines, entries };
      await client.postRunnerJobLog({ params, body, signal: requestSignal() }).catch(ignoreRejected);
      sentLines += entries.length;
      lines.splice(0, entries.length);
    }
  };
  const flush = async () => {
    await sendProgress();
    await sendLines();
  };

  let flushing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let waitMs = firstFlushMs;
  let isOver = false;
  const mayFlush = () => {
    if (timer || isOver || (lines.length === 0 && !phases.hasChanged())) return;
    timer = setTimeout(() => {
      waitMs = flushEveryMs;
      flushing = flush()
        .catch((error: unknown) => {
          isOver ||= isLeaseLost(error); // the heartbeat will notice, too
        })
        .then(() => {
          timer = undefined;
          mayFlush();
        });
    }, waitMs);
  };
  const end = async (): Promise<void> => {
    const isLostAlready = isOver;
    isOver = true;
    clearTimeout(timer);
    await flushing;
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(endRetryMs)]);
    // the end of the job matters more than its last log lines
    if (!isLostAlready && !signal.aborted) await withRetry(signal, flush).catch(() => {});
  };
  let ending: Promise<void> | undefined;
  return {
    progress(progress) {
      phases.update(progress);
      mayFlush();
    },
    warnings(next) {
      warnings = next;
      hasNewWarnings = true;
    },
    log(entry) {
      const operation = phases.number();
      lines.push({ ...entry, ...(operation > 0 && { operation }) });
      mayFlush();
    },
    allWarnings: () => [...warnings],
    async close(limitMs = requestTimeoutMs) {
      const limit = setTimeout(() => closing.abort(), limitMs);
      ending ??= end();
      await ending;
      clearTimeout(limit);
    },
  };
}

function batchOf(lines: readonly RunnerLogEntry[]): RunnerLogEntry[] {
  let characters = 0;
  const end = lines.findIndex(({ message, data }, index) => {
    characters += message.length + (data ? countCharacters : 0);
    return index === maxBatch || characters > maxBatchCharacters;
  });
  return lines.slice(0, end === -1 ? undefined : end);
}

/** Drops what the service rejects, so that later lines get through. */
function ignoreRejected(error: unknown): void {
  if (!isRejected(error)) throw error;
}
