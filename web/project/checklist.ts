import type { ProjectSummary } from '@platen/contract/projects';

export const steps = [
  { name: 'upload', count: 'files', to: 'files' },
  { name: 'publish', count: 'apps', to: 'files' },
  { name: 'share', count: 'publicApps', to: 'apps' },
] as const satisfies readonly {
  readonly name: string;
  readonly count: keyof ProjectSummary;
  readonly to: string;
}[];

/** The steps to a first map with what is done; the next is the first one after the last done. */
export function checklistOf(summary: ProjectSummary) {
  // a map may use web addresses without any file: every step before a done one counts as done
  const lastDone = steps.findLastIndex(({ count }) => summary[count] > 0);
  return {
    steps: steps.map(({ name, to }, index) => ({ name, to, isDone: index <= lastDone })),
    next: steps[lastDone + 1]?.name,
    isComplete: lastDone === steps.length - 1,
  };
}
