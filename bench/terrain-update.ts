import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keysOf, writeTiff } from '@platen/formats/geotiff/testing';
import type { FormerResults } from '@platen/processing/job-type';
import { print, printPercentage } from './report.ts';
import { describeUsage, watchJob } from './watched-job.ts';

const perSide = 16;
/** Pixels a side of a sheet. */
const sheetSide = 256;
const options = { processing: { workers: 1 } };

/** Terrain of 256 sheets of 65,536 heights, and an update of 3 of them. */
export async function benchTerrainUpdate(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-terrain-'));
  try {
    const full = await run(folder, []);
    print(`${perSide ** 2} sheets: ${describeUsage(full.usage)}`);
    const former = {
      manifest: await formerFile(full.path, 'tiles.pmtiles.manifest', 1),
      results: [await formerFile(full.path, 'tiles.pmtiles', 2)],
    };
    const update = await run(folder, [37, 120, 200], former);
    print(`update of 3: ${describeUsage(update.usage)}`);
    const share = update.usage.cpuSeconds / full.usage.cpuSeconds;
    printPercentage('CPU time of an update of terrain by that of a full run', share, 10);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(folder: string, changed: readonly number[], former?: FormerResults) {
  const input = join(folder, 'sheets');
  const contents = await writeSheets(input, changed);
  const path = join(folder, `tiles-${changed.length}`);
  const result = { name: '.', path };
  const more = former && { former };
  const usage = await watchJob({ name: 'TilesTerrain', options, input, contents, ...more, result });
  await rm(input, { recursive: true });
  return { usage, path };
}

async function formerFile(folder: string, name: string, index: number) {
  const path = join(folder, name);
  return { path, name, size: (await stat(path)).size, index };
}

/** Hills on one grid of 30 m, which rise a little where they have changed. */
async function writeSheets(input: string, changed: readonly number[]): Promise<Record<string, string>> {
  await mkdir(input);
  const contents: Record<string, string> = {};
  for (let number = 0; number < perSide ** 2; number++) {
    const [left, top] = [(number % perSide) * sheetSide, Math.floor(number / perSide) * sheetSide];
    const lift = changed.includes(number) ? 3 : 0;
    const name = `${String(number).padStart(4, '0')}.tif`;
    const image = {
      width: sheetSide,
      height: sheetSide,
      bits: 32 as const,
      sampleFormat: 3 as const,
      isDeflated: true,
      sample: (x: number, y: number) =>
        Math.round(500 + lift + 200 * Math.sin((left + x) / 90) * Math.cos((top + y) / 70) + ((x * y) % 7)),
    };
    const tie = [0, 0, 0, 500_000 + left * 30, 5_500_000 - top * 30, 0] as const;
    await writeFile(
      join(input, name),
      writeTiff({ images: [image], keys: keysOf(25_832), scale: [30, 30], tie }),
    );
    contents[name] = `${number} ${lift}`;
  }
  return contents;
}
