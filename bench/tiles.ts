import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { median } from './load.ts';
import { print, printRatio } from './report.ts';
import { openDataFolder, osmFeatures, waterPolygons } from './tile-data.ts';
import { runOurs, runTippecanoe, type TilingResult, type Tiling } from './tiler.ts';

const rounds = Number(process.env['BENCH_TILES_ROUNDS'] ?? 3);
const memoryMegabytes = 1024;
const maxMegabytes = 1.3 * memoryMegabytes;
const tippecanoe = process.env['TIPPECANOE'];
const isLong = process.env['BENCH_TILES_LONG'] === '1';
const noSamples = 'no sample data; name its folder in PLATEN_SAMPLE_DATA';

/** Our tiler beside tippecanoe (TIPPECANOE names its program) on the same features, and alone on larger ones. */
export async function benchTiles(): Promise<void> {
  if (tippecanoe === undefined) print('tippecanoe is not named by TIPPECANOE: ours alone');
  const folder = await openDataFolder();
  const scratchFolder = join(folder.path, 'scratch');
  await mkdir(scratchFolder, { recursive: true });
  try {
    const base = { scratchFolder, memoryMegabytes, dropsDensest: false };
    const million = await osmFeatures(folder.path, 1_000_000);
    let secondsOfMillion = Number.NaN;
    if (million === undefined) print(`SKIPPED: OSM features, ${noSamples}`);
    else {
      const tiling = { ...base, input: million, maxZoom: 14 };
      secondsOfMillion = await compare('1,000,000 OSM features, no limits', tiling);
      await compare('1,000,000 OSM features, drop-densest', { ...tiling, dropsDensest: true });
    }
    const water = await waterPolygons(folder.path);
    if (water === undefined) print('SKIPPED: water polygons, npm cannot get @geo-maps/earth-waterbodies-1m');
    else await compare('915,482 water polygons, no limits', { ...base, input: water, maxZoom: 10 });

    const five = await osmFeatures(folder.path, 5_000_000);
    if (five !== undefined) {
      const { wallSeconds } = await runAlone('5,000,000 OSM features', { ...base, input: five, maxZoom: 14 });
      printAtMost('time for a feature, 5 M / 1 M', wallSeconds / 5 / secondsOfMillion, 1.5);
    }
    if (!isLong) return print('100 million vertices: only with BENCH_TILES_LONG=1');
    const long = await osmFeatures(folder.path, 13_000_000);
    if (long !== undefined) await runAlone('100 million vertices', { ...base, input: long, maxZoom: 14 });
  } finally {
    await rm(scratchFolder, { recursive: true, force: true });
    await folder.end();
  }
}

/** @returns the seconds that ours takes */
async function compare(name: string, tiling: Tiling): Promise<number> {
  const ours: TilingResult[] = [];
  const theirs: TilingResult[] = [];
  for (let round = 0; round < rounds; round++) {
    if (tippecanoe !== undefined) {
      const run = await runTippecanoe(tippecanoe, tiling);
      theirs.push(run);
      printRun(`${name}: tippecanoe`, run);
    }
    const run = await runOurs(tiling);
    ours.push(run);
    printRun(`${name}: ours`, run);
  }
  const of = (runs: readonly TilingResult[], figure: 'wallSeconds' | 'cpuSeconds' | 'peakMegabytes') =>
    median(runs.map((run) => run[figure]));
  if (theirs.length > 0) {
    for (const figure of ['wallSeconds', 'cpuSeconds'] as const)
      printRatio(`${name}: ${figure}, tippecanoe / ours`, of(theirs, figure) / of(ours, figure), 4);
  }
  printAtMost(`${name}: peak MB of ours`, Math.max(...ours.map((run) => run.peakMegabytes)), maxMegabytes);
  printSerial(ours.at(-1)!);
  return of(ours, 'wallSeconds');
}

async function runAlone(name: string, tiling: Tiling): Promise<TilingResult> {
  const run = await runOurs(tiling);
  printRun(`${name}: ours`, run);
  printAtMost(`${name}: peak MB`, run.peakMegabytes, maxMegabytes);
  printSerial(run);
  return run;
}

function printRun(
  what: string,
  { wallSeconds, cpuSeconds, peakMegabytes, tiles, megabytes }: TilingResult,
): void {
  print(
    `${what} ${wallSeconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} CPU s, peak ${peakMegabytes.toFixed(0)} MB, ${tiles} tiles, ${megabytes.toFixed(1)} MB`,
  );
}

/** A phase that keeps no more than one core busy is serial. */
const maxSerialCores = 1.15;

function printSerial({ phases, cpuSeconds }: TilingResult): void {
  const lines = phases.map(
    (it) => `${it.phase} ${it.seconds.toFixed(1)} s (${it.cpuSeconds.toFixed(1)} CPU s)`,
  );
  print(`phases: ${lines.join(', ')}`);
  const serial = phases.filter((it) => it.cpuSeconds <= it.seconds * maxSerialCores);
  const share = serial.reduce((sum, it) => sum + it.cpuSeconds, 0) / cpuSeconds;
  printAtMost('share of serial phases in the CPU time', share, 0.1);
}

function printAtMost(what: string, value: number, atMost: number): void {
  print(`→ ${what}: ${value.toFixed(2)} (target: ≤ ${atMost}) ${value <= atMost ? '✓' : '✗'}`);
}
