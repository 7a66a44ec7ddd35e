import type { InspectionReport, InspectionSuggestion, InspectionUse } from '@platen/contract/inspect';
import { taskSpecs } from './catalog.ts';

interface JobUses {
  /** All uses of the data, the best first. */
  readonly uses: InspectionUse[];
  readonly suggestion?: InspectionSuggestion;
}

/** Adds the job types that suit inspected data to its direct uses. @param cores number that a job can expect */
export function suggestJobs(report: InspectionReport, cores: number): JobUses {
  const suited = taskSpecs().flatMap(({ name, suggest }) => {
    const suggestion = suggest?.(report, cores);
    return suggestion ? [{ ...suggestion, jobType: `platen${name}` }] : [];
  });
  const byConfidence = suited.toSorted((a, b) => b.confidence - a.confidence);
  const jobs = byConfidence.map(({ jobType: type, options: _options, preset: _preset, ...use }) => ({
    kind: 'job' as const,
    type,
    ...use,
  }));
  const uses = [...jobs, ...report.uses].toSorted((a, b) => b.confidence - a.confidence);
  const best = byConfidence.find(({ options }) => options !== undefined);
  if (!best) return { uses };
  const { confidence: _confidence, options = {}, ...suggestion } = best;
  return { uses, suggestion: { ...suggestion, options } };
}
