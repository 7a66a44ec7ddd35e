import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchCityInputs } from './city-inputs.ts';
import { print, printAtMost, printPercentage, printRatio } from './report.ts';
import { describeUsage, watchJob, watchProgram } from './watched-job.ts';

const data =
  process.env['PLATEN_SAMPLE_DATA'] ?? fileURLToPath(new URL('../../shared/data', import.meta.url));
const copies = 60;
const buildings = 242;
/** Where Debian's libcitygml-bin puts it. */
const usualPeer = '/usr/bin/citygmltest';
/** Degrees of latitude between copies. */
const step = 0.01;

/**
 * CityGML of 14,520 buildings, made from the sample, beside citygmltest of libcitygml if it is installed, or CITYGMLTEST names
 * it: that only parses the file and makes triangles. And CityJSONSeq of the other sample, footprints and textures.
 */
export async function benchCity(): Promise<void> {
  const sample = join(data, 'city/tamana-49303425.gml');
  if (!existsSync(sample)) return print('SKIPPED: no sample data; name its folder in PLATEN_SAMPLE_DATA');
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-city-'));
  try {
    const input = join(folder, 'city.gml');
    const bytes = await writeCopies(await readFile(sample, 'utf8'), input);
    const usages = new Map<number, Awaited<ReturnType<typeof watchJob>>>();
    for (const workers of [1, 2]) {
      const usage = await watchJob({
        name: 'TilesObject',
        options: { processing: { workers } },
        input,
        result: { name: 'tileset.3tz', path: join(folder, `workers-${workers}.3tz`) },
      });
      usages.set(workers, usage);
      print(`${workers} workers: ${describeUsage(usage)}`);
    }
    const one = usages.get(1)!;
    printRatio('MB of CityGML a CPU second', bytes / 1e6 / one.cpuSeconds, 25);
    printRatio('buildings a CPU second', (copies * buildings) / one.cpuSeconds, 2500);
    printAtMost('MB of memory, one worker', one.peakMegabytes, 1024);
    const peer = process.env['CITYGMLTEST'] ?? usualPeer;
    if (existsSync(peer)) {
      const theirs = await watchProgram(peer, [input]);
      print(`citygmltest: ${describeUsage(theirs)}`);
      printPercentage('our CPU time by that of citygmltest', one.cpuSeconds / theirs.cpuSeconds, 80);
    } else print('citygmltest is not there.');
    await benchCityInputs(join(data, 'city/delft.city.json'), folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The sample over and over, each copy farther north and with ids of its own. @returns the size in bytes */
async function writeCopies(sample: string, path: string): Promise<number> {
  const start = sample.indexOf('<core:cityObjectMember>');
  const end = sample.lastIndexOf('<app:appearanceMember>');
  const members = sample.slice(start, end < 0 ? sample.lastIndexOf('</core:CityModel>') : end);
  const parts = [sample.slice(0, start)];
  for (let copy = 0; copy < copies; copy++)
    parts.push(
      members
        .replaceAll(/\b(?:bldg|lin|pol|srf)_/g, (prefix) => `${prefix}${copy}-`)
        .replaceAll(/\b32\.9(\d+)(?= 130\.)/g, (_, rest: string) =>
          (Number(`32.9${rest}`) + copy * step).toFixed(14),
        ),
    );
  parts.push('</core:CityModel>');
  const text = parts.join('');
  await writeFile(path, text);
  return Buffer.byteLength(text);
}
