import type { JobProgress } from '@platen/contract/jobs';
import { maxPhases } from '@platen/contract/max-phases';
import type { JobContext } from '@platen/processing/job-type';
import { clean } from './clean.ts';

const reportEveryMs = 100;

export interface ProgressThrottle {
  readonly progress: JobContext['progress'];
  /** Sends the pending progress. */
  readonly flush: () => void;
}

interface PendingProgress {
  readonly phase: string;
  readonly done: number;
  readonly total: number;
  readonly secondsLeft: number | undefined;
}

/** Sends the first and the last progress of each phase, and the latest at intervals in between. */
export function throttleProgress(send: (progress: JobProgress) => void): ProgressThrottle {
  let held: PendingProgress | undefined;
  let phaseBefore: string | undefined;
  let phases = 0;
  let reportedAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!held) return;
    reportedAt = performance.now();
    send(progressOf(held));
    held = undefined;
  };
  return {
    progress(phase, done, total, secondsLeft) {
      const isNew = phase !== phaseBefore && phases < maxPhases;
      if (isNew) {
        flush();
        phases++;
      }
      phaseBefore = phase;
      held = { phase, done, total, secondsLeft };
      if (isNew || performance.now() - reportedAt >= reportEveryMs) flush();
      else timer ??= setTimeout(flush, reportEveryMs).unref();
    },
    flush,
  };
}

function progressOf({ phase, done, total, secondsLeft }: PendingProgress): JobProgress {
  return {
    phase: clean(phase).slice(0, 200) || 'run',
    done: countOf(done),
    total: countOf(total),
    ...(secondsLeft !== undefined && { secondsLeft: countOf(secondsLeft) }),
  };
}

const countOf = (value: number) => (value > 0 ? Math.min(value, Number.MAX_SAFE_INTEGER) : 0);
