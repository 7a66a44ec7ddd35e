import { statfsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { benchPointsUpdate } from './points-update.ts';
import { print, printAtMost, printPercentage, printRatio } from './report.ts';
import { openCopies, sampleCloud } from './sample-cloud.ts';
import { describeUsage, watchJob, watchProgram, type WatchedUsage } from './watched-job.ts';

const smallPoints = 10_000_000;
const largePoints = Number(process.env['BENCH_POINTS_LARGE'] ?? 0);
const budgetMegabytes = 1024;
/** Input, temporary files and output of a point. */
const diskBytes = 120;
/** Of the free disk. */
const diskShare = 0.7;
const attributes = ['intensity', 'classification'];

/**
 * 10 million points of LAS, copies of a sample, as 3D tiles, by one and two workers, beside PotreeConverter 2 where `POTREE_CONVERTER` names it, and
 * as LAZ of two formats where `LASZIP` names what packs them;
 * the number in `BENCH_POINTS_LARGE`, or fewer where the disk is too small; and updates of 100 sheets.
 */
export async function benchPoints(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-points-'));
  try {
    const sample = sampleCloud('lone-star.laz');
    if (sample === undefined) print('SKIPPED: no sample data; name its folder in PLATEN_SAMPLE_DATA');
    else await benchCopies(sample, folder);
    await benchPointsUpdate(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function benchCopies(sample: string, folder: string): Promise<void> {
  const copies = await openCopies(sample);
  const input = join(folder, 'copies.las');
  const write = (points: number): Promise<number> => copies.write(input, Math.ceil(points / copies.points));
  const count = await write(smallPoints);
  const one = await run(input, count, 1);
  const two = await run(input, count, 2);
  describeBytes(one, count);
  await compare(input, one, 'LAS');
  await rm(input);
  for (const format of [3, 7] as const) await benchLaz(sample, folder, format);
  if (largePoints === 0) return print('SKIPPED: the large run; BENCH_POINTS_LARGE=200000000 makes it');
  const { bavail, bsize } = statfsSync(folder);
  const fitting = Math.floor((bavail * bsize * diskShare) / diskBytes);
  const largeCount = await write(Math.min(largePoints, fitting));
  const large = await run(input, largeCount, 2);
  await rm(input);
  describeBytes(large, largeCount);
  const perPoint = large.cpuSeconds / largeCount / (two.cpuSeconds / count);
  printPercentage('CPU time per point by that of ten million', perPoint, 130);
}

/** LAZ of a point format, packed by LASzip. */
async function benchLaz(sample: string, folder: string, format: 3 | 7): Promise<void> {
  const laszip = process.env['LASZIP'];
  if (laszip === undefined) return print('SKIPPED: LAZ; name the program of LASzip in LASZIP');
  const [plain, packed] = [join(folder, 'plain.las'), join(folder, 'packed.laz')];
  const copies = await openCopies(sample, format);
  const count = await copies.write(plain, Math.ceil(smallPoints / copies.points));
  await watchProgram(laszip, ['-i', plain, '-o', packed]);
  await rm(plain);
  print(`LAZ of format ${format}`);
  await compare(packed, await run(packed, count, 1), `LAZ of format ${format}`);
  await rm(packed);
}

/** The same file by PotreeConverter. */
async function compare(input: string, ours: WatchedUsage, kind: string): Promise<void> {
  const potree = process.env['POTREE_CONVERTER'];
  if (potree === undefined) return print('SKIPPED: PotreeConverter; name its program in POTREE_CONVERTER');
  const output = join(dirname(input), 'potree');
  const usage = await watchProgram(potree, [input, '-o', output, '-m', 'poisson']);
  await rm(output, { recursive: true, force: true });
  print(`PotreeConverter: ${describeUsage(usage)}`);
  printRatio(`PotreeConverter’s CPU time by ours, ${kind}`, usage.cpuSeconds / ours.cpuSeconds, 2);
}

async function run(input: string, count: number, workers: number): Promise<WatchedUsage> {
  const options = { modelOptions: { attributes }, processing: { workers } };
  const usage = await watchJob({ name: 'TilesPointcloud', options, input });
  const millions = count / usage.cpuSeconds / 1e6;
  const phases = [...usage.phases].map(([phase, seconds]) => `${phase} ${seconds.toFixed(1)}`).join(', ');
  print(
    `${count} points, ${workers} workers: ${describeUsage(usage)} (${phases}), ${millions.toFixed(2)} M points a second of CPU`,
  );
  return usage;
}

function describeBytes({ phases, ...usage }: WatchedUsage, count: number): void {
  const perPoint = (bytes = 0): string => (bytes / count).toFixed(1);
  const archive = usage.outputBytes.get('tileset.3tz')!;
  const spill = usage.scratchBytes('points-');
  const manifest = usage.outputBytes.get('tileset.3tz.manifest');
  print(
    `bytes a point: manifest ${perPoint(manifest)}, all temporary files ${perPoint(usage.scratchBytes())}`,
  );
  printAtMost('bytes of the archive a point', archive / count, 8);
  printAtMost('bytes of spill a point', spill / count, 20);
  const serial = (phases.get('plan') ?? 0) + (phases.get('write') ?? 0);
  printPercentage('CPU time of the stages of one thread', serial / usage.cpuSeconds, 10);
  printPercentage('memory by its budget', usage.peakMegabytes / budgetMegabytes, 130);
}
