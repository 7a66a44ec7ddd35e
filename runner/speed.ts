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
