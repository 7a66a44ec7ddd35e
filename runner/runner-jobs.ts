import { findJobSpec } from '@platen/processing/catalog';
import { runTransfer } from './publish/run-transfer.ts';
import type { RunnerJob } from './runner-job.ts';

/** Runs each job type with `runsIn: 'runner'`, by its name. */
export const runnerJobs: Readonly<Record<string, RunnerJob>> = {
  PublishApp: runTransfer,
  PublishDatasource: runTransfer,
  PublishScenario: runTransfer,
};

/** Undefined for a job type that runs in a process of its own. */
export function runnerJobOf(jobType: string): RunnerJob | undefined {
  const spec = findJobSpec(jobType);
  return spec?.runsIn === 'runner' ? runnerJobs[spec.name] : undefined;
}
