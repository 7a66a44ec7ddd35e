import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { link, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openArchive } from '@platen/geo/pmtiles/archive';
import { startJobProcess } from '@platen/runner/job-process';
import { print, printAtMost, printRatio } from './report.ts';
import { children, watchProcess, type Usage } from './watch-process.ts';

const data =
  process.env['PLATEN_SAMPLE_DATA'] ?? fileURLToPath(new URL('../../shared/data', import.meta.url));

/** Far above the budget of a job, so that it is measured and not ended. */
const maxMegabytes = 4096;

/** Terrain of one degree at one arc second, zooms 0 to 14, beside ctb-tile if CTB names it, or beside packing the tiles. */
export async function benchTerrain(): Promise<void> {
  const packed = join(data, 'terrain/N48W125.hgt.gz');
  if (!existsSync(packed)) return print('SKIPPED: no sample data; name its folder in PLATEN_SAMPLE_DATA');
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-terrain-'));
  try {
    const input = join(folder, 'N48W125.hgt');
    await writeFile(input, gunzipSync(await readFile(packed)));
    const runs = new Map<number, Usage>();
    for (const workers of [1, 2]) {
      const usage = await runOurs(input, { workers, output: join(folder, `workers-${workers}.pmtiles`) });
      runs.set(workers, usage);
      print(`${workers} workers: ${describe(usage)}`);
    }
    const [one, two] = [runs.get(1)!, runs.get(2)!];
    printRatio('one worker’s time by that of two', one.wallSeconds / two.wallSeconds, 1.7);
    printAtMost('MB of memory, one worker', one.peakMegabytes, 1024);
    const { tiles, seconds } = await packAgain(join(folder, 'workers-1.pmtiles'));
    print(`${tiles} tiles; packing their bytes alone takes ${seconds.toFixed(1)} CPU s`);
    printRatio('packing alone, of the job’s CPU time', seconds / one.cpuSeconds, 0.1);
    const ctb = process.env['CTB'];
    if (ctb === undefined) return;
    const theirs = await watched(ctb, ['-f', 'Mesh', '-C', '-N', '-o', folder, input]);
    print(`ctb-tile: ${describe(theirs)}`);
    printRatio('ctb-tile’s CPU time by ours', theirs.cpuSeconds / one.cpuSeconds, 4);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The job as a runner starts it: in a process of its own that may touch nothing but its folders. */
async function runOurs(
  input: string,
  { workers, output }: { readonly workers: number; readonly output: string },
): Promise<Usage> {
  const before = new Set(children());
  const job = await startJobProcess({ scratchFolder: dirname(input), memoryMegabytes: maxMegabytes });
  try {
    await job.ready;
    const pid = children().find((child) => !before.has(child));
    const name = basename(input);
    const path = join(job.folders.inputs, name);
    await link(input, path);
    const { size } = await stat(path);
    const watch = watchProcess(pid!);
    const start = {
      name: 'TilesTerrain',
      options: { processing: { workers } },
      inputs: [{ path, name, size }],
      outputFolder: job.folders.output,
      scratchFolder: job.folders.scratch,
      readsRanges: false,
      isVerbose: false,
    };
    await job.run(start, () => {}, new AbortController().signal);
    const usage = watch.stop();
    await rename(join(job.folders.output, 'tiles.pmtiles'), output);
    return usage;
  } finally {
    await job.end();
  }
}

async function watched(program: string, options: readonly string[]): Promise<Usage> {
  const child = spawn(program, options, { stdio: ['ignore', 'ignore', 'inherit'] });
  const watch = watchProcess(child.pid!);
  const [code] = (await once(child, 'exit')) as [number | null];
  const usage = watch.stop();
  if (code !== 0) throw new Error(`${program} ended with ${code}.`);
  return usage;
}

/** What no maker of such tiles can do without. */
async function packAgain(path: string): Promise<{ tiles: number; seconds: number }> {
  const bytes = await readFile(path);
  const archive = await openArchive(async (offset, length) => bytes.subarray(offset, offset + length));
  const plain: Uint8Array[] = [];
  for await (const { offset, length } of archive.runs(0))
    plain.push(gunzipSync(bytes.subarray(offset, offset + length)));
  const before = process.cpuUsage();
  for (const tile of plain) gzipSync(tile, { level: 4 });
  const { user, system } = process.cpuUsage(before);
  return { tiles: plain.length, seconds: (user + system) / 1e6 };
}

function describe({ wallSeconds, cpuSeconds, peakMegabytes }: Usage): string {
  return `${wallSeconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} CPU s, ${peakMegabytes.toFixed(0)} MB`;
}
