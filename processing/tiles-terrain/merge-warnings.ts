import type { CountedWarning } from '../kit/warning-counter.ts';

const maxExamples = 20;

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
