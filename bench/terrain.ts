import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openArchive } from '@platen/geo/pmtiles/archive';
import { print, printAtMost, printRatio } from './report.ts';
import type { Usage } from './watch-process.ts';
import { describeUsage, watchJob, watchProgram } from './watched-job.ts';

const data =
  process.env['PLATEN_SAMPLE_DATA'] ?? fileURLToPath(new URL('../../shared/data', import.meta.url));

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
      const usage = await watchJob({
        name: 'TilesTerrain',
        options: { processing: { workers } },
        input,
        result: { name: 'tiles.pmtiles', path: join(folder, `workers-${workers}.pmtiles`) },
      });
      runs.set(workers, usage);
      print(`${workers} workers: ${describeUsage(usage)}`);
    }
    const [one, two] = [runs.get(1)!, runs.get(2)!];
    printRatio('one worker’s time by that of two', one.wallSeconds / two.wallSeconds, 1.7);
    printAtMost('MB of memory, one worker', one.peakMegabytes, 1024);
    const { tiles, seconds } = await packAgain(join(folder, 'workers-1.pmtiles'));
    print(`${tiles} tiles; packing their bytes alone takes ${seconds.toFixed(1)} CPU s`);
    printRatio('packing alone, of the job’s CPU time', seconds / one.cpuSeconds, 0.1);
    const ctb = process.env['CTB'];
    if (ctb === undefined) return;
    const theirs = await watchProgram(ctb, ['-f', 'Mesh', '-C', '-N', '-c', '1', '-o', folder, input]);
    print(`ctb-tile: ${describeUsage(theirs)}`);
    printRatio('ctb-tile’s CPU time by ours', theirs.cpuSeconds / one.cpuSeconds, 4);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
