import type { InspectionSuggestion } from '@platen/contract/inspect';

/** How a job type suits inspected data. */
export interface JobSuggestion extends Partial<Omit<InspectionSuggestion, 'jobType' | 'reason'>> {
  /** From 0 to 1. Uses are sorted by it; the best one with `options` is what the inspection suggests. */
  readonly confidence: number;
  /** One or two sentences. */
  readonly reason: string;
}
