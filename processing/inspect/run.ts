import type { InspectionReport } from '@platen/contract/inspect';
import type { Area } from '@platen/formats/crs/crs';
import { JobFailure, type JobContext, type RunJob } from '../job-type.ts';
import { dataBytes, memoryBudget } from '../kit/memory-plan.ts';
import { createFeatureSamples, type FeatureSample, type FeatureSamples } from './feature-samples.ts';
import { fitReport } from './fit-report.ts';
import type { Family, Finding, Subject } from './inspector.ts';
import { inspectors } from './inspectors.ts';
import { createIssues, type Issues } from './issues.ts';
import { localInputRanges } from './local-input-ranges.ts';
import type { inspect } from './spec.ts';
import { openSubject } from './subject.ts';

/** Time an inspector should take; one that ignores it is abandoned after the second limit. */
const inspectorMs = 10_000;
const maxInspectorMs = 45_000;
/** No inspector needs more. */
const maxMemoryMegabytes = 1024;

/**
 * The first input is the file or folder to inspect; others are next to it. An unreadable file is a finding, not a
 * failure.
 */
export const runInspect: RunJob<typeof inspect> = async ({ area }, context) => {
  const samples: FeatureSample[] = [];
  const report = await inspectInputs(context, inspectors, {
    area: area as Area | undefined,
    onSamples: (found) => samples.push(...found),
  });
  return { report: fitReport(report), ...(samples.length > 0 && { samples }) };
};

interface InspectionOptions {
  /** Time limit for all families together. */
  readonly maxMs?: number;
  /** Where data without a coordinate system probably are. */
  readonly area?: Area | undefined;
  /** Receives sample features of the layers in the report. */
  readonly onSamples?: (samples: readonly FeatureSample[]) => void;
}

/**
 * Runs one family after the other until one recognises the input. A failure in one does not hide what others find.
 */
export async function inspectInputs(
  context: JobContext,
  families: readonly Family[],
  { maxMs = 90_000, area, onSamples }: InspectionOptions = {},
): Promise<InspectionReport> {
  const { inputs, inputRanges = localInputRanges(inputs) } = context;
  const issues = createIssues();
  const endsAt = performance.now() + maxMs;
  const subject = await openSubject(inputs, inputRanges);
  try {
    for (const family of families) {
      const withinMs = Math.min(maxInspectorMs, endsAt - performance.now());
      if (withinMs <= 0) break;
      const samples = createFeatureSamples();
      const finding = await runInspector(family, { subject, context, issues, area, samples, withinMs });
      if (finding) onSamples?.(samples.list(finding.layers.map(({ name }) => name)));
      if (finding) return { ...finding, issues: issues.list() };
    }
    return { layers: [], issues: issues.list(), uses: [] };
  } finally {
    await subject.close();
  }
}

interface InspectorRun {
  readonly subject: Subject;
  readonly context: JobContext;
  readonly issues: Issues;
  readonly area: Area | undefined;
  readonly samples: FeatureSamples;
  readonly withinMs: number;
}

async function runInspector(
  { title, load }: Family,
  { subject, context, issues, area, samples, withinMs }: InspectorRun,
): Promise<Finding | undefined> {
  const { signal, scratchFolder, log } = context;
  const timeout = AbortSignal.timeout(Math.ceil(withinMs));
  const until = performance.now() + inspectorMs;
  const ownIssues = createIssues();
  const inspection = {
    issues: ownIssues,
    area,
    signal: AbortSignal.any([signal, timeout]),
    isOver: () => performance.now() > until,
    samples,
    scratchFolder,
    memoryBytes: dataBytes(memoryBudget(maxMemoryMegabytes, context.limits)),
  };
  try {
    const inspector = await load();
    const finding = await Promise.race([inspector(subject, inspection), aborted(inspection.signal)]);
    if (finding) for (const { code, message, count } of ownIssues.list()) issues.add(code, message, count);
    return finding;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof JobFailure) throw error;
    for (const { code, message, count } of ownIssues.list()) issues.add(code, message, count);
    if (timeout.aborted) {
      issues.add('inspectionTooLong', `Looking for ${title} in ${subject.name} took too long.`);
      return undefined;
    }
    issues.add(
      'inspectorFailed',
      `Looking for ${title} in ${subject.name} failed, which is a fault of this service.`,
    );
    log('error', `Looking for ${title} failed: ${String(error)}`, { stack: (error as Error).stack });
    return undefined;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
