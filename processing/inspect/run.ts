import type { InspectionReport } from '@platen/contract/inspect';
import { JobFailure, type JobContext, type RunJob } from '../job-type.ts';
import { createFeatureSamples, type FeatureSample, type FeatureSamples } from './feature-samples.ts';
import { fitReport } from './fit-report.ts';
import type { Finding, Subject } from './inspector.ts';
import { inspectors, type Family } from './inspectors.ts';
import { createIssues, type Issues } from './issues.ts';
import { piecesOnDisk } from './pieces-on-disk.ts';
import type { inspect } from './spec.ts';
import { openSubject } from './subject.ts';

/** So long an inspector may look; who does not look at the time is given up after the second. */
const lookingMs = 10_000;
const longestMs = 45_000;

/** The first input is the file or folder; others lie beside it. That it cannot be read is a finding. */
export const runInspect: RunJob<typeof inspect> = async (_options, context) => {
  const samples: FeatureSample[] = [];
  const report = await inspectInputs(context, inspectors, { take: (found) => samples.push(...found) });
  return { report: fitReport(report), ...(samples.length > 0 && { samples }) };
};

interface Limits {
  /** Of all families together. */
  readonly mostMs?: number;
  /** Is given some features of the layers that the report tells of. */
  readonly take?: (samples: readonly FeatureSample[]) => void;
}

/**
 * Asks one family after the other what it is. What goes wrong in one of them does not hide what others know.
 */
export async function inspectInputs(
  context: JobContext,
  families: readonly Family[],
  { mostMs = 90_000, take }: Limits = {},
): Promise<InspectionReport> {
  const { inputs, pieces = piecesOnDisk(inputs) } = context;
  const issues = createIssues();
  const endsAt = performance.now() + mostMs;
  const subject = await openSubject(inputs, pieces);
  try {
    for (const family of families) {
      const withinMs = Math.min(longestMs, endsAt - performance.now());
      if (withinMs <= 0) break;
      const samples = createFeatureSamples();
      const finding = await ask(family, { subject, context, issues, samples, withinMs });
      if (finding) take?.(samples.list(finding.layers.map(({ name }) => name)));
      if (finding) return { ...finding, issues: issues.list() };
    }
    return { layers: [], issues: issues.list(), uses: [] };
  } finally {
    await subject.close();
  }
}

interface Asking {
  readonly subject: Subject;
  readonly context: JobContext;
  readonly issues: Issues;
  readonly samples: FeatureSamples;
  readonly withinMs: number;
}

async function ask(
  { title, load }: Family,
  { subject, context, issues, samples, withinMs }: Asking,
): Promise<Finding | undefined> {
  const { signal, scratchFolder, log } = context;
  const late = AbortSignal.timeout(Math.ceil(withinMs));
  const until = performance.now() + lookingMs;
  const noticed = createIssues();
  const inspecting = {
    issues: noticed,
    signal: AbortSignal.any([signal, late]),
    isOver: () => performance.now() > until,
    samples,
    scratchFolder,
  };
  try {
    const inspector = await load();
    const finding = await Promise.race([inspector(subject, inspecting), aborted(inspecting.signal)]);
    if (finding) for (const { code, message, count } of noticed.list()) issues.add(code, message, count);
    return finding;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof JobFailure) throw error;
    for (const { code, message, count } of noticed.list()) issues.add(code, message, count);
    if (late.aborted) {
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
