import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipOfFiles } from '@platen/formats/zip/testing';
import sharp from 'sharp';
import { library, objOfSurface } from '../processing/tiles-mesh/testing-surface.ts';
import { print, printAtMost, printRatio } from './report.ts';
import { describeUsage, watchJob } from './watched-job.ts';

const placement = { longitude: 11.5, latitude: 48.1 };

/** Levels of detail of a hilly surface: one of many triangles with a small picture, and one of few with a large one. */
export async function benchMesh(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-mesh-'));
  try {
    const triangles = await run(folder, { cells: 700, pixels: 1024 });
    printRatio('triangles a CPU second', (2 * 700 ** 2) / triangles.cpuSeconds, 200_000);
    printAtMost('MB of memory, one worker', triangles.peakMegabytes, 1024);
    const texels = await run(folder, { cells: 100, pixels: 8192 });
    printRatio('Mpx of textures a CPU second', 8192 ** 2 / 1e6 / texels.cpuSeconds, 8);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(folder: string, { cells, pixels }: { readonly cells: number; readonly pixels: number }) {
  const input = join(folder, `${cells}.zip`);
  const zip = zipOfFiles({
    'surface.obj': objOfSurface({ side: 400, cells }),
    'photo.mtl': library.replace('.png', '.jpg'),
    'photo.jpg': await photo(pixels),
  });
  await writeFile(input, zip);
  const usage = await watchJob({
    name: 'TilesMesh',
    options: { modelOptions: { placement }, processing: { workers: 1 } },
    input,
    result: { name: 'tileset.3tz', path: join(folder, `${cells}.3tz`) },
  });
  print(`${2 * cells ** 2} triangles, ${pixels} × ${pixels} pixels: ${describeUsage(usage)}`);
  return usage;
}

/** Something that is as hard to pack as a photograph. */
function photo(side: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  return sharp({ create: { width: side, height: side, channels: 3, background: '#000', noise } })
    .blur(2)
    .jpeg()
    .toBuffer();
}
