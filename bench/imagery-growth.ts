import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keysOf, writeTiff } from '@platen/formats/geotiff/testing';
import type { FormerResults } from '@platen/processing/job-type';
import { print, printAtMost, printPercentage } from './report.ts';
import type { Usage } from './watch-process.ts';
import { describeUsage, watchJob } from './watched-job.ts';

const data =
  process.env['PLATEN_SAMPLE_DATA'] ?? fileURLToPath(new URL('../../shared/data', import.meta.url));
const photo = join(data, 'imagery/autzen.jpg');

const budgetMegabytes = 1024;
const options = { processing: { memoryMegabytes: budgetMegabytes } };
const maxMegabytes = budgetMegabytes * 1.3;
/** Pixels a side of a sheet. */
const sheetSide = 128;

/** Ten times the pixels, of many small sheets and of one sparse file; and updates of 3 of many sheets and of none. */
export async function benchImageryGrowth(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-growth-'));
  try {
    await benchSheets(folder);
    if (!existsSync(photo)) return print('SKIPPED: no sample data; name its folder in PLATEN_SAMPLE_DATA');
    if (!hasGdal()) return print('SKIPPED: no GDAL here (apt-get install gdal-bin)');
    await benchSparse(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function benchSheets(folder: string): Promise<void> {
  const run = async (perSide: number, changed: readonly number[] = [], former?: FormerResults) => {
    const { input, contents } = await writeSheets(folder, perSide, changed);
    const path = join(folder, `sheets-${perSide}-${former ? `update-${changed.length}` : 'full'}`);
    const result = { name: '.', path };
    const usage = await watchJob({
      name: 'TilesImagery',
      options,
      input,
      contents,
      ...(former && { former }),
      result,
    });
    await rm(input, { recursive: true });
    print(`${perSide ** 2} sheets${former ? `, update of ${changed.length}` : ''}: ${describeUsage(usage)}`);
    return { usage, path };
  };
  const few = await run(32);
  const many = await run(100);
  printGrowth('sheets', few.usage, many.usage, (32 / 100) ** 2);
  const former = {
    manifest: await formerFile(many.path, 'tiles.pmtiles.manifest', 1),
    results: [await formerFile(many.path, 'tiles.pmtiles', 2)],
  };
  const copy = await run(100, [], former);
  const update = await run(100, [17, 5050, 9999], former);
  printPercentage(
    'CPU time of an update of 3 without that of an update of none, which only copies, by that of a full run',
    (update.usage.cpuSeconds - copy.usage.cpuSeconds) / many.usage.cpuSeconds,
    3,
  );
}

async function formerFile(folder: string, name: string, index: number) {
  const path = join(folder, name);
  return { path, name, size: (await stat(path)).size, index };
}

/** Sheets on one grid, of shades that differ. */
async function writeSheets(folder: string, perSide: number, changed: readonly number[]) {
  const input = join(folder, 'sheets');
  await mkdir(input);
  const contents: Record<string, string> = {};
  for (let number = 0; number < perSide ** 2; number++) {
    const [column, row] = [number % perSide, Math.floor(number / perSide)];
    const shade = changed.includes(number) ? 99 : number % 83;
    const name = `${String(number).padStart(5, '0')}.tif`;
    const image = {
      width: sheetSide,
      height: sheetSide,
      tile: sheetSide,
      bands: 3,
      photometric: 2,
      isDeflated: true,
      sample: (x: number, y: number, band: number) => (x + y + band * 30 + shade) & 255,
    };
    const corner = [500_000 + column * sheetSide, 5_500_000 - row * sheetSide] as const;
    const place = { keys: keysOf(25_832), scale: [1, 1], tie: [0, 0, 0, ...corner, 0] } as const;
    await writeFile(join(input, name), writeTiff({ images: [image], ...place }));
    contents[name] = `${number} ${shade}`;
  }
  return { input, contents };
}

/** Copies of the orthophoto of 14 Mpx, far apart in one file that leaves out what is between them. */
async function benchSparse(folder: string): Promise<void> {
  const run = async (gigapixels: number, copies: number): Promise<Usage> => {
    const input = join(folder, `sparse-${gigapixels}.tif`);
    writeSparse(input, folder, { side: Math.round(Math.sqrt(gigapixels * 1e9)), copies });
    const usage = await watchJob({ name: 'TilesImagery', options, input });
    await rm(input);
    print(`sparse file of ${gigapixels} Gpx, ${copies} photos: ${describeUsage(usage)}`);
    return usage;
  };
  const small = await run(2, 1);
  const large = await run(20, 10);
  printGrowth('sparse file', small, large, 0.1);
}

const metres = 0.597_164_283_477_939_5;
const photoSize = [3248, 4385] as const;

function writeSparse(
  path: string,
  folder: string,
  { side, copies }: { readonly side: number; readonly copies: number },
): void {
  const [west, north] = [1_000_000, 6_000_000];
  const frame = [west, north, west + side * metres, north - side * metres].map(String);
  const form = ['-co', 'SPARSE_OK=TRUE', '-co', 'TILED=YES', '-co', 'COMPRESS=DEFLATE', '-co', 'BIGTIFF=YES'];
  const place = ['-outsize', `${side}`, `${side}`, '-a_srs', 'EPSG:3857', '-a_ullr', ...frame];
  execFileSync('gdal_create', [
    '-q',
    '-bands',
    '3',
    '-ot',
    'Byte',
    '-a_nodata',
    '0',
    ...form,
    ...place,
    path,
  ]);
  for (let copy = 0; copy < copies; copy++) {
    const left = west + Math.floor(((side - photoSize[0]) * copy) / copies) * metres;
    const top = north - Math.floor(((side - photoSize[1]) * ((copy * 7) % copies)) / copies) * metres;
    const corners = [left, top, left + photoSize[0] * metres, top - photoSize[1] * metres].map(String);
    const placed = join(folder, 'placed.tif');
    execFileSync('gdal_translate', ['-q', '-a_srs', 'EPSG:3857', '-a_ullr', ...corners, photo, placed]);
    execFileSync('gdalwarp', ['-q', placed, path]);
  }
}

function printGrowth(what: string, small: Usage, large: Usage, share: number): void {
  const factor = (large.cpuSeconds / small.cpuSeconds) * share;
  print(
    `→ ${what}: CPU time per pixel of ten times the pixels: ${factor.toFixed(2)} × (target: ≤ 1.15) ${factor <= 1.15 ? '✓' : '✗'}`,
  );
  printAtMost(
    `${what}: MB of memory, with a budget of ${budgetMegabytes}`,
    large.peakMegabytes,
    maxMegabytes,
  );
}

function hasGdal(): boolean {
  try {
    execFileSync('gdal_create', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
