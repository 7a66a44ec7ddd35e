import type { JobListQuery, JobState } from '@platen/contract/jobs';
import { jobStates } from '@platen/contract/jobs';

export const spans = { hour: 3600, day: 86_400, week: 7 * 86_400, month: 30 * 86_400 } as const;
export type Span = keyof typeof spans;

/** The filters of a job list, as they stand in the address. */
export interface JobFilters {
  readonly state?: string | undefined;
  readonly type?: string | undefined;
  readonly task?: string | undefined;
  readonly label?: string | undefined;
  readonly time?: string | undefined;
  readonly warnings?: string | undefined;
  readonly rejects?: string | undefined;
}

/** The list query; unknown values are ignored, because the address may be old or hand-written. */
export function filterQuery(filters: JobFilters, now: number): Partial<JobListQuery> {
  const { state, type, task, label, time, warnings, rejects } = filters;
  const seconds = time !== undefined && Object.hasOwn(spans, time) ? spans[time as Span] : undefined;
  // whole minutes, so that rendering again does not send another request
  const from = seconds === undefined ? undefined : Math.floor(now / 60_000) * 60_000 - seconds * 1000;
  return {
    ...(isState(state) && { state: [state] }),
    ...(type && { jobType: [type] }),
    ...(task && { taskId: [task] }),
    ...(label && { label: [label] }),
    ...(from !== undefined && { createdAt: [`${new Date(from).toISOString()}/..`] }),
    ...(warnings === 'yes' && { hasWarnings: true }),
    ...(rejects === 'yes' && { hasRejected: true }),
  };
}

const isState = (state: string | undefined): state is JobState => jobStates.some((one) => one === state);
