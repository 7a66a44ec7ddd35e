import type { JobProgress, JobWarning } from '@platen/contract/jobs';
import type { RunnerLogEntry } from '@platen/contract/runner';
import { isLost, isRefused, type JobClient } from './job-client.ts';

const flushEveryMs = 400;
const maxBatch = 500;

export interface Report {
  progress(progress: JobProgress): void;
  warnings(warnings: readonly JobWarning[]): void;
  log(entry: RunnerLogEntry): void;
  allWarnings(): JobWarning[];
  /** Sends what is left, and ends. */
  end(): Promise<void>;
}

/** Sends progress, warnings and log lines of a job in batches; what could not be sent goes with the next. */
export function startReport(client: JobClient, jobId: string): Report {
  let progress: JobProgress | undefined;
  let warnings: readonly JobWarning[] = [];
  let isChanged = false;
  let sentLines = 0;
  const lines: RunnerLogEntry[] = [];
  const params = { jobId };

  const flush = async (): Promise<void> => {
    while (lines.length > 0) {
      const entries = lines.slice(0, maxBatch);
      await client.postRunnerJobLog({ params, body: { first: sentLines, entries } }).catch(unlessRefused);
      sentLines += entries.length;
      lines.splice(0, entries.length);
    }
    if (!isChanged || !progress) return;
    isChanged = false;
    try {
      await client
        .postRunnerJobProgress({ params, body: { progress, warnings: [...warnings] } })
        .catch(unlessRefused);
    } catch (error) {
      isChanged = true;
      throw error;
    }
  };
  let flushing = Promise.resolve();
  const flushQuietly = () => {
    flushing = flushing.then(flush).catch((error: unknown) => {
      if (isLost(error)) clearInterval(timer); // the heartbeat will notice, too
    });
    return flushing;
  };
  const timer = setInterval(() => {
    if (lines.length > 0 || isChanged) void flushQuietly();
  }, flushEveryMs);
  return {
    progress(next) {
      const isFirst = progress === undefined;
      progress = next;
      isChanged = true;
      if (isFirst) void flushQuietly();
    },
    warnings(next) {
      warnings = next;
      isChanged = true;
    },
    log: (entry) => void lines.push(entry),
    allWarnings: () => [...warnings],
    async end() {
      clearInterval(timer);
      await flushQuietly();
    },
  };
}

/** What the service will never take is left out, so that later lines get through. */
function unlessRefused(error: unknown): void {
  if (!isRefused(error)) throw error;
}
