import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeCityCopies } from './city-copies.ts';
import { benchCityInputs } from './city-inputs.ts';
import { print, printAtMost, printPercentage, printRatio } from './report.ts';
import { describeUsage, watchJob, watchProgram } from './watched-job.ts';

const data =
  process.env['PLATEN_SAMPLE_DATA'] ?? fileURLToPath(new URL('../../shared/data', import.meta.url));
/** Of the sample. */
const buildings = 242;
const copies = Math.ceil(Number(process.env['BENCH_BUILDINGS'] ?? 100_000) / buildings);
const moreCopies = Math.ceil(Number(process.env['BENCH_BUILDINGS_LARGE'] ?? 0) / buildings);
const budget = 1024;
/** Where Debian's libcitygml-bin puts it. */
const usualPeer = '/usr/bin/citygmltest';
/**
 * CityGML of 100,000 buildings (BENCH_BUILDINGS), made from the sample, beside citygmltest of libcitygml if it is installed, or
 * CITYGMLTEST names it: that only parses the file and makes triangles. With BENCH_BUILDINGS_LARGE=1000000 also of so many. And
 * CityJSONSeq of the other sample, footprints and textures.
 */
export async function benchCity(): Promise<void> {
  const sample = join(data, 'city/tamana-49303425.gml');
  if (!existsSync(sample)) return print('SKIPPED: no sample data; name its folder in PLATEN_SAMPLE_DATA');
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-city-'));
  try {
    const input = join(folder, 'city.gml');
    const text = await readFile(sample, 'utf8');
    const bytes = await writeCityCopies(text, input, copies);
    const measure = async (workers: number) => {
      const usage = await watchJob({
        name: 'TilesObject',
        options: { processing: { workers } },
        input,
        result: { name: 'tileset.3tz', path: join(folder, 'tileset.3tz') },
      });
      print(`${workers} workers: ${describeUsage(usage)}`);
      return usage;
    };
    const one = await measure(1);
    await measure(2);
    printRatio('MB of CityGML a CPU second', bytes / 1e6 / one.cpuSeconds, 25);
    printRatio('buildings a CPU second', (copies * buildings) / one.cpuSeconds, 2500);
    printAtMost('MB of memory, one worker', one.peakMegabytes, budget);
    const peer = process.env['CITYGMLTEST'] ?? usualPeer;
    if (existsSync(peer)) {
      const theirs = await watchProgram(peer, [input]);
      print(`citygmltest: ${describeUsage(theirs)}`);
      printPercentage('our CPU time by that of citygmltest', one.cpuSeconds / theirs.cpuSeconds, 80);
    } else print('citygmltest is not there.');
    if (moreCopies > 0) {
      await writeCityCopies(text, input, moreCopies);
      const many = await measure(1);
      const perCopy = many.cpuSeconds / moreCopies / (one.cpuSeconds / copies);
      printPercentage(
        `CPU time per building of ${moreCopies * buildings} by that of ${copies * buildings}`,
        perCopy,
        120,
      );
      printAtMost('MB of memory, one worker', many.peakMegabytes, 1.3 * budget);
    }
    await rm(input);
    await benchCityInputs(join(data, 'city/delft.city.json'), folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
