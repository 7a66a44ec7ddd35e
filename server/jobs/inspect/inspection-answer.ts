import { availableParallelism } from 'node:os';
import { InspectionReport, type Inspection } from '@platen/contract/inspect';
import type { Job } from '@platen/contract/jobs';
import { suggestJobs } from '@platen/processing/suggest-jobs';
import { checkBody } from '../../base/validation.ts';
import type { InspectionTarget } from './target.ts';

const checkReport = checkBody(InspectionReport);

/** Builds the API answer for a file from the report of its content, with the job types that suit it today. */
export function inspectionAnswer(
  report: InspectionReport,
  { key, size, bucketId, keys }: InspectionTarget,
): Inspection {
  const { vector: _vector, raster: _raster, points: _points, ground: _ground, ...found } = report;
  const { uses, suggestion } = suggestJobs(report, availableParallelism());
  const [, ...companions] = keys;
  const answer = { key, size, ...(companions.length > 0 && { companions }), ...found, uses };
  if (!suggestion) return answer;
  const { input, ...options } = suggestion.options;
  const sources = keys.map((dataBucketKey) => ({
    type: 'internal',
    dataBucketId: bucketId,
    dataBucketKey,
    ...(input as object | undefined),
  }));
  const whole = { input: sources.length === 1 ? sources[0] : sources, ...options };
  return { ...answer, suggestion: { ...suggestion, options: whole } };
}

/** Validates a report. It comes from a process that parses untrusted bytes, so it may contain anything. */
export function reportOf(raw: unknown): InspectionReport {
  return isReport(raw)
    ? raw
    : nothing(
        'brokenReport',
        'The report of the runner is not valid. Check that the runner has the version of the service.',
      );
}

export function isReport(value: unknown): value is InspectionReport {
  try {
    checkReport(value);
    return true;
  } catch {
    return false;
  }
}

/** Builds a report for an inspection that failed. */
export function failureOf({ state, errorCode, errorMessage }: Job): InspectionReport {
  return nothing(errorCode ?? state, errorMessage ?? 'The inspection was cancelled. Inspect the file again.');
}

function nothing(code: string, message: string): InspectionReport {
  return { layers: [], issues: [{ code, message, count: 1 }], uses: [] };
}
