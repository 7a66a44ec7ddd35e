import { InspectionReport, type Inspection } from '@platen/contract/inspect';
import type { Job } from '@platen/contract/jobs';
import { checkBody } from '../http/validation.ts';
import type { ObjectFile } from '../objects/store.ts';

const checkReport = checkBody(InspectionReport);

/** What a job that has ended tells of the file; that it failed is an answer, too. */
export function answerOf(job: Job, files: readonly ObjectFile[]): Inspection {
  const { key, size } = files[0]!;
  const report = reportOf(job);
  const { suggestion } = report;
  if (!suggestion) return { key, size, ...report };
  const { input, ...options } = suggestion.options;
  const sources = files.map(({ dataBucketId, key: dataBucketKey }) => ({
    type: 'internal',
    dataBucketId,
    dataBucketKey,
    ...(input as object | undefined),
  }));
  const whole = { input: sources.length === 1 ? sources[0] : sources, ...options };
  return { key, size, ...report, suggestion: { ...suggestion, options: whole } };
}

function reportOf({ state, report, errorCode, errorMessage }: Job): InspectionReport {
  if (state !== 'succeeded')
    return nothing(errorCode ?? state, errorMessage ?? 'The inspection was stopped: ask again.');
  try {
    // it was made where a file of unknown origin is read
    checkReport(report);
    return report as InspectionReport;
  } catch {
    return nothing('brokenReport', 'The runner answered what cannot be understood: is it of this version?');
  }
}

function nothing(code: string, message: string): InspectionReport {
  return { layers: [], issues: [{ code, message, count: 1 }] };
}
