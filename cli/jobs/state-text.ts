import type { JobState } from '@platen/contract/jobs';

/** The words of the interface for the states of jobs. */
export const stateText: Readonly<Record<JobState, string>> = {
  queued: 'queued',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  aborted: 'cancelled',
  timedOut: 'timed out',
};
