/** How fast something is done lately, and when it will be done. Times are in milliseconds of a clock that never jumps. */
export interface Speed {
  /** So much is done by now; less than before: it has begun anew. */
  reach(done: number, now: number): void;
  /** Undefined until there is enough to tell from. */
  perSecond(now: number): number | undefined;
  /** By the mean since the beginning, as what is steady foretells better than what was lately. */
  secondsLeft(total: number, now: number): number | undefined;
}

const windowMs = 10_000;
const sampleEveryMs = 250;
/** From less there is nothing to tell. */
const minMs = 500;
const minShare = 0.02;
const minMsToEstimate = 2000;

interface Sample {
  readonly at: number;
  readonly done: number;
}

export function measureSpeed(): Speed {
  /** Those of the window, and the last one before it: what is done in large steps has a speed, too. */
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
      const wanted = total - beginning.done;
      if (last.done >= total) return 0;
      if (done < wanted * minShare) return undefined;
      return (((now - beginning.at) / 1000) * (wanted - done)) / done;
    },
  };
}
