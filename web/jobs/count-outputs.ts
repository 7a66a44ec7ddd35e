import type { Job } from '@platen/contract/jobs';

/** All files and datasources of a job, of which it may name the first ones only. */
export function countOutputs({ outputs, outputFiles }: Pick<Job, 'outputs' | 'outputFiles'>): number {
  const named = outputs.filter(({ type }) => type === 'object').length;
  return outputs.length - named + (outputFiles?.count ?? named);
}
