import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { writeTiff, type WrittenTiff } from '@platen/formats/geotiff/testing';
import type { JobContext, JobInput, JobResult } from '../job-type.ts';
import type { RejectedFeature } from '../rejects.ts';
import { testContext } from '../testing-context.ts';

export interface SheetRun {
  readonly result: JobResult;
  /** Of the file that became a datasource. */
  readonly path: string;
  readonly outputFolder: string;
  /** With those of rejects. */
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly rejects: readonly RejectedFeature[];
}

/** Sheets of one test file, and runs of a job type on them. */
export async function openSheetTests<Options>(
  runJob: (options: Options, context: JobContext) => Promise<JobResult>,
) {
  const folder = await mkdtemp(join(tmpdir(), 'platen-sheets-'));
  let count = 0;
  const inputOf = async (path: string): Promise<JobInput> => {
    const { size } = await stat(path);
    return { path, name: basename(path), size };
  };
  return {
    folder,
    remove: () => rm(folder, { recursive: true, force: true }),
    inputOf,
    async put(name: string, content: WrittenTiff | Uint8Array): Promise<JobInput> {
      const path = join(folder, name);
      await writeFile(path, content instanceof Uint8Array ? content : writeTiff(content));
      return inputOf(path);
    },
    async run(
      inputs: readonly JobInput[],
      options: Options = {} as Options,
      more: Partial<JobContext> = {},
    ): Promise<SheetRun> {
      const outputFolder = await mkdtemp(join(folder, `run-${count++}-`));
      const warnings: { code: string; message: string }[] = [];
      const rejects: RejectedFeature[] = [];
      const context = testContext({
        inputs,
        outputFolder,
        scratchFolder: join(outputFolder, 'scratch'),
        warn: (code, message) => warnings.push({ code, message }),
        reject(code, message, feature) {
          warnings.push({ code, message });
          if (feature) rejects.push(feature);
        },
        ...more,
      });
      const result = await runJob(options, context);
      return { result, path: join(outputFolder, result.datasource!.path), outputFolder, warnings, rejects };
    },
  };
}
