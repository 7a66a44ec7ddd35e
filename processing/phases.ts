/** A phase of a job type. */
export interface PhaseSpec {
  /** The unit of `done` and `total`: `bytes`. */
  readonly unit: string;
  /** Share of the total time that the phase usually takes, from 0 to 1; measured. With them, the time left is foretold. */
  readonly share?: number;
}

/** The phases of a job type, in their order. */
export type PhaseSpecs = Readonly<Record<string, PhaseSpec>>;

/** Estimates the remaining seconds of the whole job from the progress in a phase; undefined while it would be a guess. */
export type EstimateTimeLeft = (phase: string, done: number, total: number) => number | undefined;

/** Share of the work that must have been done, below which an estimate would be a guess. */
const minShare = 0.03;

/**
 * Only work since the first progress counts, as a job that resumes has done the former phases before.
 * @param now monotonic clock in milliseconds
 */
export function estimateTimeLeft(phases: PhaseSpecs, now: () => number): EstimateTimeLeft {
  const began = now();
  let first: number | undefined;
  return (phase, done, total) => {
    const share = shareDone(phases, phase, total > 0 ? done / total : 0);
    if (share === undefined) return undefined;
    const since = share - (first ??= share);
    return since < minShare ? undefined : Math.round((((now() - began) / 1000) * (1 - share)) / since);
  };
}

/** Whether the shares of all phases are known. */
export function hasShares(phases: PhaseSpecs): boolean {
  const all = Object.values(phases);
  return all.length > 0 && all.every(({ share }) => share !== undefined);
}

function shareDone(phases: PhaseSpecs, phase: string, doneInPhase: number): number | undefined {
  if (!Object.hasOwn(phases, phase) || !hasShares(phases)) return undefined;
  const names = Object.keys(phases);
  const former = names.slice(0, names.indexOf(phase)).reduce((sum, name) => sum + phases[name]!.share!, 0);
  return Math.min(1, former + phases[phase]!.share! * Math.min(1, doneInPhase));
}
