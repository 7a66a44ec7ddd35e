import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { link, open, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { decodeHeader, headerLength } from '@platen/geo/pmtiles/header';
import { startJobProcess } from '@platen/runner/job-process';
import { children, watchProcess, type Usage } from './watch-process.ts';

export interface TilingResult extends Usage {
  readonly tiles: number;
  readonly megabytes: number;
  readonly phases: readonly Phase[];
}

/** As the job logs it. */
export interface Phase {
  readonly phase: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

export interface Tiling {
  /** One feature a line; on the disk that scratch files go to. */
  readonly input: string;
  readonly scratchFolder: string;
  readonly maxZoom: number;
  readonly memoryMegabytes: number;
  /** What does not fit into a tile of 500 kB is thinned out; otherwise nothing is. */
  readonly dropsDensest: boolean;
}

/** Far above the budget of a job, so that it is measured and not ended. */
const maxMegabytes = 8192;

/** Our tiler as a runner starts it: in a process of its own that may touch nothing but its folders. */
export async function runOurs(tiling: Tiling): Promise<TilingResult> {
  const { input, scratchFolder, maxZoom, memoryMegabytes, dropsDensest } = tiling;
  const before = new Set(children());
  const job = await startJobProcess({ scratchFolder, memoryMegabytes: maxMegabytes });
  try {
    await job.ready;
    const pid = children().find((child) => !before.has(child));
    const name = basename(input);
    const path = join(job.folders.inputs, name);
    await link(input, path);
    const { size } = await stat(path);
    const phases: Phase[] = [];
    const watch = watchProcess(pid!);
    const whenTooLarge = dropsDensest ? 'dropDensest' : 'keep';
    const start = {
      name: 'TilesVector',
      options: { tiling: { maxZoom }, processing: { memoryMegabytes, whenTooLarge } },
      inputs: [{ path, name, size }],
      outputFolder: job.folders.output,
      scratchFolder: job.folders.scratch,
      readsRanges: false,
      isVerbose: false,
    };
    const result = await job.run(
      start,
      (message) => {
        if (message.type === 'log' && message.data?.['phase'] !== undefined)
          phases.push(message.data as never);
      },
      new AbortController().signal,
    );
    const usage = watch.stop();
    return { ...usage, phases, ...(await sizeOf(join(job.folders.output, result.datasource!.path))) };
  } finally {
    await job.end();
  }
}

/** @param program tippecanoe itself */
export async function runTippecanoe(program: string, tiling: Tiling): Promise<TilingResult> {
  const { input, scratchFolder, maxZoom, dropsDensest } = tiling;
  const output = join(scratchFolder, 'tippecanoe.pmtiles');
  const limits = dropsDensest ? ['--drop-densest-as-needed'] : ['--no-feature-limit', '--no-tile-size-limit'];
  const options = ['-q', '-f', '-Z0', `-z${maxZoom}`, '-P', '-l', 'all', '-t', scratchFolder, ...limits];
  const child = spawn(program, [...options, '-o', output, input], { stdio: ['ignore', 'ignore', 'inherit'] });
  const watch = watchProcess(child.pid!);
  const [code] = (await once(child, 'exit')) as [number | null];
  const usage = watch.stop();
  if (code !== 0) throw new Error(`tippecanoe ended with ${code}.`);
  const size = await sizeOf(output);
  await rm(output);
  return { ...usage, phases: [], ...size };
}

async function sizeOf(path: string): Promise<{ tiles: number; megabytes: number }> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(headerLength), 0, headerLength, 0);
    const { addressedTiles } = decodeHeader(buffer);
    return { tiles: addressedTiles, megabytes: (await file.stat()).size / 1e6 };
  } finally {
    await file.close();
  }
}
