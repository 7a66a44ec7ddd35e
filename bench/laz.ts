import { decodeChunk } from '@platen/formats/las/decode/decode-chunk';
import { openLazPerf } from '@platen/formats/las/testing-laz-perf';
import { cpuTime } from '@platen/formats/testing-cpu-time';
import { print, printRatio } from './report.ts';
import { chunksOf, sampleCloud } from './sample-cloud.ts';

const rounds = 9;

/** Points a second of CPU of our decoder beside laz-perf, in turn: all fields, and of format 6 and later position and class only. */
export async function benchLaz(): Promise<void> {
  const theirs = await openLazPerf();
  for (const name of ['lone-star.laz', 'lone-star.copc.laz']) {
    const path = sampleCloud(name);
    if (path === undefined) {
      print('SKIPPED: no sample data; name its folder in PLATEN_SAMPLE_DATA');
      return;
    }
    const { header, chunks } = await chunksOf(path);
    const isLayered = header.pointFormat >= 6;
    const fields = new Set(['classification'] as const);
    const decoders = {
      'laz-perf': (packed: Uint8Array, points: number) => theirs(packed, header, points),
      'ours, all fields': (packed: Uint8Array, points: number) => decodeChunk(packed, header, points),
      ...(isLayered && {
        'ours, position and class': (packed: Uint8Array, points: number) =>
          decodeChunk(packed, { ...header, fields }, points),
      }),
    };
    const spent = new Map<string, number>();
    for (let round = -1; round < rounds; round++) {
      for (const [decoder, decode] of Object.entries(decoders)) {
        const used = cpuTime();
        for (const { packed, points } of chunks) decode(packed, points);
        // the first round warms up; of the others the best counts, as the machine may be busy
        if (round >= 0) spent.set(decoder, Math.min(spent.get(decoder) ?? Infinity, used()));
      }
    }
    print(`${name}: ${header.pointCount} points of format ${header.pointFormat}`);
    for (const [decoder, milliseconds] of spent) {
      const millions = header.pointCount / milliseconds / 1000;
      print(`  ${decoder}: ${millions.toFixed(2)} M points a second of CPU`);
    }
    const ratioOf = (decoder: string): number => spent.get('laz-perf')! / spent.get(decoder)!;
    printRatio('laz-perf’s CPU time by ours, all fields', ratioOf('ours, all fields'), 1.5);
    if (isLayered) printRatio('… position and class', ratioOf('ours, position and class'), 2.3);
  }
}
