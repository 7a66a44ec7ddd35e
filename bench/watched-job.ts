import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { cp, link, rename, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { FormerFile, FormerResults } from '@platen/processing/job-type';
import { buildJobCode, prepare } from '@platen/runner/job-code/job-code';
import { startJobProcess } from '@platen/runner/job-process';
import type { ChildMessage } from '@platen/runner/messages';
import { children, watchProcess, type Usage } from './watch-process.ts';

/** Far above the budget of a job, so that it is measured and not ended. */
const maxMegabytes = 4096;

interface WatchedJob {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** A file, or a folder. */
  readonly input: string;
  /** Of the files of a folder, what identifies their content. */
  readonly contents?: Readonly<Record<string, string>>;
  readonly former?: FormerResults;
  /** A file that it makes, or its whole output (`.`), and where that is kept. */
  readonly result?: { readonly name: string; readonly path: string };
}

/** A job that has ended. */
export interface WatchedUsage extends Usage {
  /** CPU seconds of the phases that it has logged. */
  readonly phases: ReadonlyMap<string, number>;
  /** The most bytes that its temporary files had at a time: those whose names begin so, and all. */
  readonly scratchBytes: (prefix?: string) => number;
  /** Of the files that it has made, by name. */
  readonly outputBytes: ReadonlyMap<string, number>;
}

/** The compiled code of jobs, which runners have after `npm run build`. */
let jobCode: Promise<string> | undefined;

async function compileJobs(): Promise<string> {
  await buildJobCode();
  return prepare(tmpdir());
}

/** A job as a runner starts it: compiled, and in a process of its own that may touch nothing but its folders. */
export async function watchJob({
  name: type,
  options,
  input,
  contents,
  former,
  result,
}: WatchedJob): Promise<WatchedUsage> {
  const compiled = await (jobCode ??= compileJobs());
  const before = new Set(children());
  const job = await startJobProcess({
    scratchFolder: dirname(input),
    memoryMegabytes: maxMegabytes,
    jobCode: () => compiled,
  });
  try {
    await job.ready;
    const pid = children().find((child) => !before.has(child));
    const name = basename(input);
    const path = join(job.folders.inputs, name);
    const found = await stat(input);
    const { size } = found;
    await (found.isDirectory() ? cp(input, path, { recursive: true }) : link(input, path));
    const watch = watchProcess(pid!);
    const scratch = watchFiles(job.folders.scratch);
    const phases = new Map<string, number>();
    const start = {
      name: type,
      options,
      inputs: [{ path, name, size, ...(contents && { contents }) }],
      former: former && (await stageFormer(former, job.folders.inputs)),
      outputFolder: job.folders.output,
      scratchFolder: job.folders.scratch,
      readsRanges: false,
      isVerbose: false,
    };
    const listen = (message: ChildMessage): void => {
      if (message.type !== 'log') return;
      const { phase, cpuSeconds } = (message.data ?? {}) as { phase?: string; cpuSeconds?: number };
      if (phase !== undefined && cpuSeconds !== undefined) phases.set(phase, cpuSeconds);
    };
    await job.run(start, listen, new AbortController().signal).finally(() => scratch.stop());
    const usage = watch.stop();
    const outputBytes = new Map(sizesIn(job.folders.output));
    if (result) await rename(join(job.folders.output, result.name), result.path);
    return { ...usage, phases, scratchBytes: scratch.bytes, outputBytes };
  } finally {
    await job.end();
  }
}

const lookEveryMs = 200;

/** Watches the sizes of the files below a folder. */
function watchFiles(folder: string) {
  const max = new Map<string, number>();
  const look = (): void => {
    const sums = new Map<string, number>();
    for (const [name, bytes] of sizesIn(folder)) {
      const kind = name.slice(0, name.indexOf('-') + 1);
      sums.set(kind, (sums.get(kind) ?? 0) + bytes);
      sums.set('', (sums.get('') ?? 0) + bytes);
    }
    for (const [kind, bytes] of sums) max.set(kind, Math.max(max.get(kind) ?? 0, bytes));
  };
  const tryToLook = (): void => {
    try {
      look();
    } catch (error) {
      // a folder that the job has removed while it was listed
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  };
  const timer = setInterval(tryToLook, lookEveryMs);
  return { stop: () => clearInterval(timer), bytes: (prefix = '') => max.get(prefix) ?? 0 };
}

function sizesIn(folder: string): [name: string, bytes: number][] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => {
    const found = entry.isFile() && statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false });
    return found ? [[entry.name, found.size]] : [];
  });
}

/** Puts what a former run has left where the job may read it. */
async function stageFormer(former: FormerResults, folder: string): Promise<FormerResults> {
  const stage = async (file: FormerFile): Promise<FormerFile> => {
    const path = join(folder, `former-${file.index}`);
    await link(file.path, path);
    return { ...file, path };
  };
  return { manifest: await stage(former.manifest), results: await Promise.all(former.results.map(stage)) };
}

/** Another program. */
export async function watchProgram(program: string, options: readonly string[]): Promise<Usage> {
  const child = spawn(program, options, { stdio: ['ignore', 'ignore', 'inherit'] });
  const watch = watchProcess(child.pid!);
  const [code] = (await once(child, 'exit')) as [number | null];
  const usage = watch.stop();
  if (code !== 0) throw new Error(`${program} ended with ${code}.`);
  return usage;
}

export function describeUsage({ wallSeconds, cpuSeconds, peakMegabytes }: Usage): string {
  return `${wallSeconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} CPU s, ${peakMegabytes.toFixed(0)} MB`;
}
