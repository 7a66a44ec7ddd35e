import type { ProjectSummary } from '@platen/contract/projects';

export const steps = [
  { name: 'upload', count: 'objects', to: 'files' },
  { name: 'prepare', count: 'datasources', to: 'datasources' },
  { name: 'module', count: 'modules', to: 'modules' },
  { name: 'app', count: 'apps', to: 'apps' },
  { name: 'publish', count: 'publicApps', to: 'apps' },
] as const satisfies readonly {
  readonly name: string;
  readonly count: keyof ProjectSummary;
  readonly to: string;
}[];

/** The way to the first map: what is done, and what comes next; that is the first step after which nothing is done. */
export function checklistOf(summary: ProjectSummary) {
  // a map may be made of addresses on the web, without a file: what leads on to something done is done
  const lastDone = steps.findLastIndex(({ count }) => summary[count] > 0);
  return {
    steps: steps.map(({ name, to }, index) => ({ name, to, isDone: index <= lastDone })),
    next: steps[lastDone + 1]?.name,
    isComplete: lastDone === steps.length - 1,
  };
}
