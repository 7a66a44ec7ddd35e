import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { print, printRatio } from './report.ts';
import { describeUsage, watchJob, watchProgram } from './watched-job.ts';

const data =
  process.env['PLATEN_SAMPLE_DATA'] ?? fileURLToPath(new URL('../../shared/data', import.meta.url));

/** Tiles of an orthophoto of 14 Mpx, as PNG and JPEG, beside gdal2tiles; and of one of 126 Mpx by one and two workers. */
export async function benchImagery(): Promise<void> {
  const photo = join(data, 'imagery/autzen.jpg');
  if (!existsSync(photo)) return print('SKIPPED: no sample data; name its folder in PLATEN_SAMPLE_DATA');
  if (!hasGdal()) return print('SKIPPED: no gdal2tiles.py here (apt-get install gdal-bin python3-gdal)');
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-imagery-'));
  try {
    const input = join(folder, 'photo.tif');
    execFileSync('gdal_translate', ['-q', photo, input]);
    const measure = async (format: string) => {
      const options = { tiling: { minZoom: 13, maxZoom: 19 }, image: { format }, processing: { workers: 1 } };
      const usage = await watchJob({ name: 'TilesImagery', options, input });
      print(`${format}: ${describeUsage(usage)}`);
      return usage;
    };
    const png = await measure('png');
    const jpeg = await measure('jpeg');
    const zooms = ['-q', '-z', '13-19', '-r', 'bilinear', '--processes=1'];
    const gdal = await watchProgram('gdal2tiles.py', [...zooms, input, join(folder, 'tiles')]);
    print(`gdal2tiles, PNG, bilinear: ${describeUsage(gdal)}`);
    printRatio('gdal2tiles’ CPU time by ours, PNG', gdal.cpuSeconds / png.cpuSeconds, 4);
    printRatio('gdal2tiles’ CPU time by ours, JPEG', gdal.cpuSeconds / jpeg.cpuSeconds, 10);
    await benchWorkers(photo, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Start and end of a job, which only one thread works on, would be a tenth of a small one. */
async function benchWorkers(photo: string, folder: string): Promise<void> {
  const input = join(folder, 'large.tif');
  const enlarge = ['-outsize', '300%', '300%', '-r', 'cubic', '-co', 'TILED=YES', '-co', 'COMPRESS=DEFLATE'];
  execFileSync('gdal_translate', ['-q', ...enlarge, photo, input]);
  const measure = async (workers: number) => {
    const usage = await watchJob({
      name: 'TilesImagery',
      options: { image: { format: 'png' }, processing: { workers } },
      input,
    });
    print(`126 Mpx, ${workers} workers: ${describeUsage(usage)}`);
    return usage.wallSeconds;
  };
  printRatio('time of one worker by that of two, PNG', (await measure(1)) / (await measure(2)), 1.7);
}

function hasGdal(): boolean {
  try {
    execFileSync('gdal2tiles.py', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
