import type { JobProgress } from '@platen/contract/jobs';
import { shallowReactive } from 'vue';

const told = shallowReactive(new Map<string, JobProgress>());

/** How far a running job is, as it was told last; undefined when nothing was told yet. */
export const progressOf = (jobId: string): JobProgress | undefined => told.get(jobId);

export const tellProgress = (jobId: string, progress: JobProgress) => told.set(jobId, progress);
export const forgetProgress = (jobId: string) => told.delete(jobId);

/** Between 0 and 1; undefined when it is not known how much there is to do. */
export const shareOf = (progress: JobProgress | undefined): number | undefined =>
  progress === undefined || progress.total === 0 ? undefined : Math.min(1, progress.done / progress.total);
