import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { JobContext, JobInput, JobResult } from '../job-type.ts';
import type { RejectedFeature } from '../rejects.ts';
import { testContext } from '../testing-context.ts';
import { runTilesObject } from './run.ts';
import type { TilesObjectOptions } from './spec.ts';

export interface ObjectRun {
  readonly result: JobResult;
  readonly outputFolder: string;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly rejects: readonly RejectedFeature[];
}

/** Folders of one test file. */
export async function openObjectTests() {
  const folder = await mkdtemp(join(tmpdir(), 'platen-city-'));
  let count = 0;
  return {
    folder,
    remove: () => rm(folder, { recursive: true, force: true }),
    async put(name: string, content: string | Uint8Array): Promise<JobInput> {
      const path = join(folder, `${count++}-${name}`);
      await writeFile(path, content);
      return { path, name: basename(name), size: (await stat(path)).size };
    },
    async run(
      inputs: readonly JobInput[],
      options: TilesObjectOptions = {},
      more: Partial<JobContext> = {},
    ): Promise<ObjectRun> {
      const outputFolder = await mkdtemp(join(folder, `run-${count++}-`));
      const warnings: { code: string; message: string }[] = [];
      const rejects: RejectedFeature[] = [];
      const context = testContext({
        inputs,
        outputFolder,
        scratchFolder: join(outputFolder, 'scratch'),
        warn: (code, message) => warnings.push({ code, message }),
        reject: (_code, _message, feature) => feature && rejects.push(feature),
        ...more,
      });
      return { result: await runTilesObject(options, context), outputFolder, warnings, rejects };
    },
  };
}
