import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { InspectionReport, type InspectionSuggestion } from '@platen/contract/inspect';
import { Value } from 'typebox/value';
import { type JobContext, type JobInput, type JobLimits } from '../job-type.ts';
import { suggestJobs } from '../suggest-jobs.ts';
import { runInspect } from './run.ts';
import { afterFile } from '../../checks/clean-up.ts';
import { testContext } from '../testing-context.ts';

/** A report with the uses and the suggestion that the service adds. */
type SuggestingReport = InspectionReport & { readonly suggestion?: InspectionSuggestion };

/** Inspections of files in a folder of the calling test file, which is removed after its tests. */
export async function setUpInspections() {
  const folder = await mkdtemp(join(tmpdir(), 'platen-inspect-'));
  afterFile(() => rm(folder, { recursive: true }));

  async function write(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  }

  async function inspect(
    name: string,
    content: string | Uint8Array,
    limits?: JobLimits,
  ): Promise<SuggestingReport> {
    const path = await write(name, content);
    const scratchFolder = await mkdtemp(join(folder, 'scratch-'));
    const { report } = await runInspect(
      {},
      testContext({
        inputs: [{ path, name: basename(path), size: (await stat(path)).size }],
        outputFolder: folder,
        scratchFolder,
        ...(limits && { limits }),
      }),
    );
    assert.ok(
      Value.Check(InspectionReport, report),
      JSON.stringify([...Value.Errors(InspectionReport, report)]),
    );
    assert.ok(JSON.stringify(report).length <= 256 * 1024);
    return { ...report, ...suggestJobs(report, 2) };
  }

  const contextOf = (inputs: JobInput[], log: JobContext['log'] = () => {}): JobContext =>
    testContext({ inputs, outputFolder: folder, scratchFolder: folder, log });

  return { folder, write, inspect, contextOf };
}

export const feature = (coordinates: unknown, properties: object = {}, type = 'Point') =>
  JSON.stringify({ type: 'Feature', properties, geometry: { type, coordinates } });

export const codes = ({ issues }: InspectionReport) => issues.map(({ code }) => code);
