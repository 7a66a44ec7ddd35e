import type { JobWarning } from '@platen/contract/jobs';
import type { FreeForm } from '@platen/contract/schema';
import { clean, cleanExample } from './clean.ts';

const maxExamples = 20;
const maxCodes = 100;

export interface WarningCounter {
  add(code: string, message: string, example?: FreeForm, times?: number): void;
  list(): JobWarning[];
}

/** Counts warnings by code and keeps the first message and the first examples of each. */
export function createWarningCounter(): WarningCounter {
  const byCode = new Map<string, { code: string; message: string; count: number; examples: FreeForm[] }>();
  return {
    add(code, message, example, times = 1) {
      const known = byCode.get(code);
      if (known) {
        known.count += times;
        if (example && known.examples.length < maxExamples) known.examples.push(cleanExample(example));
      } else if (byCode.size < maxCodes) {
        const examples = example ? [cleanExample(example)] : [];
        byCode.set(code, { code, message: clean(message).slice(0, 4000), count: times, examples });
      }
    },
    list: () => [...byCode.values()],
  };
}
