import { InspectionReport, type Inspection } from '@platen/contract/inspect';
import type { Job } from '@platen/contract/jobs';
import { checkBody } from '../../base/validation.ts';
import type { Target } from './target.ts';

const checkReport = checkBody(InspectionReport);

/** What was found out of a content, as an answer for the file that has it. */
export function answerOf(report: InspectionReport, { key, size, bucketId, keys }: Target): Inspection {
  const { suggestion } = report;
  if (!suggestion) return { key, size, ...report };
  const { input, ...options } = suggestion.options;
  const sources = keys.map((dataBucketKey) => ({
    type: 'internal',
    dataBucketId: bucketId,
    dataBucketKey,
    ...(input as object | undefined),
  }));
  const whole = { input: sources.length === 1 ? sources[0] : sources, ...options };
  return { key, size, ...report, suggestion: { ...suggestion, options: whole } };
}

/** It was made where a file of unknown origin is read: anything may stand there. */
export function reportOf(told: unknown): InspectionReport {
  return isReport(told)
    ? told
    : nothing('brokenReport', 'The runner answered what cannot be understood: is it of this version?');
}

export function isReport(told: unknown): told is InspectionReport {
  try {
    checkReport(told);
    return true;
  } catch {
    return false;
  }
}

/** That an inspection failed is an answer, too. */
export function failureOf({ state, errorCode, errorMessage }: Job): InspectionReport {
  return nothing(errorCode ?? state, errorMessage ?? 'The inspection was stopped: ask again.');
}

function nothing(code: string, message: string): InspectionReport {
  return { layers: [], issues: [{ code, message, count: 1 }], uses: [] };
}
