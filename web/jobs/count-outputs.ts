import type { Job } from '@platen/contract/jobs';

/** All files and datasources of a job, of which it may name the first ones only. */
export function countOutputs({ outputItems, outputFiles }: Pick<Job, 'outputItems' | 'outputFiles'>): number {
  const named = outputItems.filter(({ type }) => type === 'object').length;
  return outputItems.length - named + (outputFiles?.count ?? named);
}
