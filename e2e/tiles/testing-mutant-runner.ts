import { mkdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { JobFailure } from '@platen/processing/job-type';
import { runConvertVector } from '@platen/processing/convert-vector/run';
import { runTilesVector } from '@platen/processing/tiles-vector/run';
import { testContext } from '@platen/processing/testing-context';

/** The process that mutants run in, one after the other, so that a crash or a hang of one does no harm to the test. */

export interface Mutant {
  readonly path: string;
  /** A folder for this run only. */
  readonly folder: string;
  readonly job: MutantJob;
}

/** Both read the file in the same way; tiling starts threads and takes ten times as long. */
export type MutantJob = 'convert' | 'tiles';

export interface Outcome {
  /** `succeeded`, `failed: <code>`, or `bug: <stack>`. */
  readonly outcome: string;
  readonly peakMegabytes: number;
}

process.once('disconnect', () => process.exit(0));
process.on('message', (message) => {
  void run(message as Mutant).then((outcome) => {
    const peakMegabytes = process.resourceUsage().maxRSS / 1024;
    process.send!({ outcome, peakMegabytes } satisfies Outcome);
  });
});

async function run({ path, folder, job }: Mutant): Promise<string> {
  const outputFolder = join(folder, 'output');
  const scratchFolder = join(folder, 'scratch');
  for (const place of [outputFolder, scratchFolder]) await mkdir(place, { recursive: true });
  try {
    const context = testContext({
      inputs: [{ path, name: basename(path), size: (await stat(path)).size }],
      outputFolder,
      scratchFolder,
    });
    const processing = { memoryMegabytes: 256, workers: 1 };
    if (job === 'convert') await runConvertVector({}, context);
    else await runTilesVector({ tiling: { maxZoom: 4 }, processing }, context);
    return 'succeeded';
  } catch (error) {
    if (error instanceof JobFailure) return `failed: ${error.code}`;
    return `bug: ${error instanceof Error ? error.stack : String(error)}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
