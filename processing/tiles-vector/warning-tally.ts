import type { JobContext } from '../job-type.ts';
import type { NoticeCode } from '../warning-codes.ts';

/** Warnings as one thread has counted them, to be passed on in one go. */
export interface Tally {
  readonly warn: JobContext['warn'];
  /** What was counted since the last time. */
  take(): CountedWarning[];
}

export interface CountedWarning {
  readonly code: NoticeCode;
  readonly message: string;
  readonly times: number;
  readonly examples: Record<string, unknown>[];
}

interface Counting extends CountedWarning {
  times: number;
}

const mostExamples = 20;

export function createTally(): Tally {
  let counted = new Map<string, Counting>();
  return {
    warn(code, message, example, times = 1) {
      let warning = counted.get(code);
      if (warning === undefined) counted.set(code, (warning = { code, message, times: 0, examples: [] }));
      warning.times += times;
      if (example !== undefined && warning.examples.length < mostExamples) warning.examples.push(example);
    },
    take() {
      const taken = [...counted.values()];
      counted = new Map();
      return taken;
    },
  };
}

/** Passes counted warnings on, each with its examples. */
export function passOn(warnings: readonly CountedWarning[], warn: JobContext['warn']): void {
  for (const { code, message, times, examples } of warnings) {
    const [first, ...others] = examples;
    warn(code, message, first, times - others.length);
    for (const example of others) warn(code, message, example);
  }
}
