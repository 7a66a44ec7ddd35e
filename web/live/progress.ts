import type { JobProgress } from '@platen/contract/jobs';
import { shallowReactive } from 'vue';

const latest = shallowReactive(new Map<string, JobProgress>());

/** The last reported progress of a running job; undefined if none was reported yet. */
export const progressOf = (jobId: string): JobProgress | undefined => latest.get(jobId);

export const reportProgress = (jobId: string, progress: JobProgress) => latest.set(jobId, progress);
export const forgetProgress = (jobId: string) => latest.delete(jobId);

/** Between 0 and 1; undefined while the total is unknown. */
export const shareOf = (progress: JobProgress | undefined): number | undefined =>
  progress === undefined || progress.total === 0 ? undefined : Math.min(1, progress.done / progress.total);
