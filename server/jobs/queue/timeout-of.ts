import { findJobSpec } from '@platen/processing/catalog';

/** How long an attempt may take, where the task or the job type says so; null: as the service is set up. */
export function timeoutOf(jobType: string, wanted?: number): number | null {
  const longest = findJobSpec(jobType)?.maxSeconds;
  if (wanted === undefined || longest === undefined) return wanted ?? longest ?? null;
  return Math.min(wanted, longest);
}
