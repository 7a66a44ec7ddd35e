import type { JobContext } from '../job-type.ts';
import type { NoticeCode } from '../warning-codes.ts';

/** Counts the warnings of a thread, which are then sent together. */
export interface WarningCounter {
  readonly warn: JobContext['warn'];
  /** Returns the warnings since the last call. */
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

const maxExamples = 20;

export function createWarningCounter(): WarningCounter {
  let counted = new Map<string, Counting>();
  return {
    warn(code, message, example, times = 1) {
      let warning = counted.get(code);
      if (warning === undefined) counted.set(code, (warning = { code, message, times: 0, examples: [] }));
      warning.times += times;
      if (example !== undefined && warning.examples.length < maxExamples) warning.examples.push(example);
    },
    take() {
      const taken = [...counted.values()];
      counted = new Map();
      return taken;
    },
  };
}

/** One warning for each code and message, whichever units it comes from. */
export function mergeWarnings(warnings: readonly CountedWarning[]): CountedWarning[] {
  const merged = new Map<string, CountedWarning>();
  for (const warning of warnings) {
    const key = `${warning.code} ${warning.message}`;
    const known = merged.get(key);
    merged.set(key, {
      ...warning,
      times: (known?.times ?? 0) + warning.times,
      examples: [...(known?.examples ?? []), ...warning.examples].slice(0, maxExamples),
    });
  }
  return [...merged.values()];
}

/** Reports counted warnings, each with its examples. */
export function emitWarnings(warnings: readonly CountedWarning[], warn: JobContext['warn']): void {
  for (const { code, message, times, examples } of warnings) {
    const [first, ...others] = examples;
    warn(code, message, first, times - others.length);
    for (const example of others) warn(code, message, example);
  }
}
