import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeLas } from '@platen/formats/las/testing';
import { town, utm } from '@platen/processing/tiles-pointcloud/testing-town';
import { benchPointsUpdate } from './points-update.ts';
import { print, printAtMost, printRatio } from './report.ts';
import type { Usage } from './watch-process.ts';
import { describeUsage, watchJob, watchProgram } from './watched-job.ts';

/** Towns of 250,000 points, side by side: ten million points. */
const towns = 40;
const townPoints = 250_000;
/** Hundredths of a metre. */
const townWidth = 20_000;

/** 10 million points of LAS as 3D tiles, by one and two workers, and updates of 100 sheets, beside PotreeConverter 2 where `POTREE_CONVERTER` names it. */
export async function benchPoints(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-points-'));
  try {
    const input = join(folder, 'towns.las');
    await writeTowns(input);
    const runs = new Map<number, Usage>();
    for (const workers of [1, 2]) {
      const usage = await watchJob({ name: 'TilesPointcloud', options: { processing: { workers } }, input });
      runs.set(workers, usage);
      const millions = (towns * townPoints) / usage.cpuSeconds / 1e6;
      print(`${workers} workers: ${describeUsage(usage)}, ${millions.toFixed(2)} M points a second of CPU`);
    }
    printAtMost('MB of memory, one worker', runs.get(1)!.peakMegabytes, 1024);
    await benchPointsUpdate(folder);
    const potree = process.env['POTREE_CONVERTER'];
    if (potree === undefined) return print('SKIPPED: PotreeConverter; name its program in POTREE_CONVERTER');
    const usage = await watchProgram(potree, [input, '-o', join(folder, 'potree'), '-m', 'poisson']);
    print(`PotreeConverter: ${describeUsage(usage)}`);
    printRatio('PotreeConverter’s CPU time by ours', usage.cpuSeconds / runs.get(1)!.cpuSeconds, 2);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Copies of a town to the east of it. */
async function writeTowns(path: string): Promise<void> {
  const one = writeLas({ pointFormat: 2, points: town(townPoints), records: [utm] });
  const pointOffset = one.readUInt32LE(96);
  const recordLength = one.readUInt16LE(105);
  const head = Buffer.from(one.subarray(0, pointOffset));
  head.writeUInt32LE(towns * townPoints, 107);
  head.writeDoubleLE(head.readDoubleLE(179) + ((towns - 1) * townWidth) / 100, 179);
  await writeFile(path, head);
  for (let copy = 0; copy < towns; copy++) {
    const points = Buffer.from(one.subarray(pointOffset));
    for (let at = 0; at < points.length; at += recordLength)
      points.writeInt32LE(points.readInt32LE(at) + copy * townWidth, at);
    await appendFile(path, points);
  }
}
