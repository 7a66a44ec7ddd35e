import type { JobProgress } from '@platen/contract/jobs';
import { maxPhases } from '@platen/contract/max-phases';
import type { RunnerPhase } from '@platen/contract/runner';

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

/** Measures recent speed and estimates the time left. Times are milliseconds of a monotonic clock. */
export interface Speed {
  /** Records progress; a smaller value than before restarts the measurement. */
  reach(done: number, now: number): void;
  /** Undefined until enough has been measured. */
  perSecond(now: number): number | undefined;
  /** Estimates by the mean speed since the start, which varies less than the recent one. */
  secondsLeft(total: number, now: number): number | undefined;
}

const windowMs = 10_000;

const sampleEveryMs = 250;

/** Shorter measurements are too inaccurate. */
const minMs = 500;

const minShare = 0.02;

const minMsToEstimate = 2000;

interface Sample {
  readonly at: number;
  readonly done: number;
}

export function measureSpeed(): Speed {
  /** The samples of the window and the last one before it, so that work in large steps has a speed, too. */
  let samples: Sample[] = [];
  let beginning: Sample | undefined;
  const leaveOut = (now: number) => {
    while (samples.length > 2 && samples[1]!.at <= now - windowMs) samples.shift();
  };
  return {
    reach(done, now) {
      const last = samples.at(-1);
      if (last && done < last.done) {
        samples = [];
        beginning = undefined;
      }
      const sample = { at: now, done };
      beginning ??= sample;
      const before = samples.at(-2);
      if (before && now - before.at < sampleEveryMs) samples[samples.length - 1] = sample;
      else samples.push(sample);
      leaveOut(now);
    },
    perSecond(now) {
      leaveOut(now);
      const [first, last] = [samples[0], samples.at(-1)];
      if (!first || !last || now - first.at < minMs) return undefined;
      return (last.done - first.done) / ((now - first.at) / 1000);
    },
    secondsLeft(total, now) {
      const last = samples.at(-1);
      if (!beginning || !last || total <= 0 || now - beginning.at < minMsToEstimate) return undefined;
      const done = last.done - beginning.done;
      const remaining = total - beginning.done;
      if (last.done >= total) return 0;
      if (done < remaining * minShare) return undefined;
      return (((now - beginning.at) / 1000) * (remaining - done)) / done;
    },
  };
}
