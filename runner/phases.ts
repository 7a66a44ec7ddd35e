import type { JobProgress } from '@platen/contract/jobs';
import { maxPhases } from '@platen/contract/max-phases';
import type { RunnerPhase } from '@platen/contract/runner';
import { measureSpeed } from './speed.ts';

/** Progress as a job reports it; the speed is measured here. */
export interface PhaseProgress extends Omit<JobProgress, 'perSecond'> {
  /**
   * True if the job type estimates the time left of the whole job, which an estimate for the phase must not replace.
   */
  readonly hasTotalEstimate?: boolean;
}

export interface PhaseChanges {
  readonly progress: JobProgress;
  readonly phases: RunnerPhase[];
}

export interface Phases {
  /** The number of the current phase; 0 before the first. */
  readonly number: () => number;
  readonly hasChanged: () => boolean;
  update(progress: PhaseProgress): void;
  /** The changes since the last call; undefined if there are none. */
  take(): PhaseChanges | undefined;
  /** Puts changes back that could not be sent, so that the next call returns them. */
  restore(changes: PhaseChanges): void;
}

interface Phase extends Omit<RunnerPhase, 'startedSecondsAgo' | 'endedSecondsAgo'> {
  readonly startedAt: number;
  endedAt: number | undefined;
}

/** Tracks the phases of one attempt. @param now monotonic clock in milliseconds */
export function trackPhases(now: () => number): Phases {
  const all: Phase[] = [];
  const changed = new Set<number>();
  let latest: PhaseProgress | undefined;
  let speed = measureSpeed();
  const begin = (name: string) => {
    const startedAt = now();
    const last = all.at(-1);
    if (last) {
      last.endedAt = startedAt;
      changed.add(last.n);
    }
    speed = measureSpeed();
    all.push({ n: all.length + 1, name, done: 0, total: 0, startedAt, endedAt: undefined });
  };
  return {
    number: () => all.length,
    hasChanged: () => changed.size > 0,
    update(next) {
      if (latest?.phase !== next.phase && all.length < maxPhases) begin(next.phase);
      latest = next;
      speed.reach(next.done, now());
      const phase = all.at(-1)!;
      const { done, total, unit } = next;
      Object.assign(phase, { done, total, ...(unit !== undefined && { unit }) });
      changed.add(phase.n);
    },
    take() {
      if (!latest || changed.size === 0) return undefined;
      const at = now();
      const phases = [...changed].toSorted((a, b) => a - b).map((n) => reportOf(all[n - 1]!, at));
      changed.clear();
      return { progress: progressOf(latest, speed, at), phases };
    },
    restore({ phases }) {
      for (const { n } of phases) changed.add(n);
    },
  };
}

function reportOf({ startedAt, endedAt, ...phase }: Phase, at: number): RunnerPhase {
  return {
    ...phase,
    startedSecondsAgo: (at - startedAt) / 1000,
    ...(endedAt !== undefined && { endedSecondsAgo: (at - endedAt) / 1000 }),
  };
}

function progressOf(
  { hasTotalEstimate, ...progress }: PhaseProgress,
  speed: ReturnType<typeof measureSpeed>,
  at: number,
): JobProgress {
  const perSecond = speed.perSecond(at);
  const estimate = hasTotalEstimate ? undefined : speed.secondsLeft(progress.total, at);
  const secondsLeft = progress.secondsLeft ?? (estimate === undefined ? undefined : Math.ceil(estimate));
  return {
    ...progress,
    ...(perSecond !== undefined && { perSecond: rounded(perSecond) }),
    ...(secondsLeft !== undefined && { secondsLeft }),
  };
}

/** More digits would suggest a precision that the speed does not have. */
const rounded = (value: number) => Number(value.toPrecision(3));
