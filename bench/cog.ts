import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { print, printAtMost, printRatio } from './report.ts';
import type { Usage } from './watch-process.ts';
import { describeUsage, watchJob, watchProgram } from './watched-job.ts';

const data =
  process.env['PLATEN_SAMPLE_DATA'] ?? fileURLToPath(new URL('../../shared/data', import.meta.url));

/** Copies of the orthophoto of 14 Mpx, side by side: 273 Mpx and a little more. */
const [columns, rows] = [5, 4];
const [width, height] = [3248, 4385];
/** A pixel of zoom 18. */
const metres = 0.597_164_283_477_939_5;
/** Half of the width of web mercator. */
const halfWorld = Math.PI * 6_378_137;
/** Columns and rows of pixels from its corner: a whole number, and between pixels, so that each is warped. */
const places = { 'on the grid of web maps': 0, 'between its pixels': 0.167 };
const corner = [35_219_360, 23_506_304] as const;

/** Imagery of 285 Mpx as JPEG, on the grid of web maps and beside it, by one and two workers, beside GDAL. */
export async function benchCog(): Promise<void> {
  const photo = join(data, 'imagery/autzen.jpg');
  if (!existsSync(photo)) return print('SKIPPED: no sample data; name its folder in PLATEN_SAMPLE_DATA');
  if (!hasGdal()) return print('SKIPPED: no GDAL here (apt-get install gdal-bin)');
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-cog-'));
  try {
    const input = join(folder, 'photos.tif');
    const jpeg = ['-co', 'COMPRESS=JPEG', '-co', 'QUALITY=85', '-co', 'OVERVIEW_RESAMPLING=AVERAGE'];
    const maps = ['-co', 'TILING_SCHEME=GoogleMapsCompatible', '-co', 'RESAMPLING=BILINEAR'];
    for (const [where, offset] of Object.entries(places)) {
      await writeFile(join(folder, 'photos.vrt'), mosaicOf(photo, offset));
      execFileSync('gdal_translate', ['-q', join(folder, 'photos.vrt'), input]);
      const runs = new Map<number, Usage>();
      for (const workers of [1, 2]) {
        const usage = await watchJob({ name: 'ConvertRaster', options: { processing: { workers } }, input });
        runs.set(workers, usage);
        print(`${where}, ${workers} workers: ${describeUsage(usage)}`);
      }
      const one = runs.get(1)!;
      printAtMost('MB of memory, one worker', one.peakMegabytes, 400);
      const what = offset === 0 ? 'as it is' : 'warped to the grid of web maps, as ours';
      const options = offset === 0 ? jpeg : [...jpeg, ...maps];
      const result = join(folder, 'gdal.tif');
      const usage = await watchProgram('gdal_translate', ['-q', '-of', 'COG', ...options, input, result]);
      print(`gdal_translate -of COG, ${what}: ${describeUsage(usage)}`);
      printRatio(`GDAL’s CPU time by ours, ${what}`, usage.cpuSeconds / one.cpuSeconds, 4);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function hasGdal(): boolean {
  try {
    execFileSync('gdal_translate', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** @param offset in pixels, to the right and down */
function mosaicOf(photo: string, offset: number): string {
  const [west, north] = [
    (corner[0] + offset) * metres - halfWorld,
    halfWorld - (corner[1] + offset) * metres,
  ];
  const band = (number: number): string => {
    const sources = Array.from({ length: columns * rows }, (_, i) => {
      const [x, y] = [(i % columns) * width, Math.floor(i / columns) * height];
      return `<SimpleSource><SourceFilename>${photo}</SourceFilename><SourceBand>${number}</SourceBand>
<SrcRect xOff="0" yOff="0" xSize="${width}" ySize="${height}"/>
<DstRect xOff="${x}" yOff="${y}" xSize="${width}" ySize="${height}"/></SimpleSource>`;
    });
    const colour = ['Red', 'Green', 'Blue'][number - 1]!;
    return `<VRTRasterBand dataType="Byte" band="${number}"><ColorInterp>${colour}</ColorInterp>${sources.join('')}</VRTRasterBand>`;
  };
  return `<VRTDataset rasterXSize="${width * columns}" rasterYSize="${height * rows}"><SRS>EPSG:3857</SRS>
<GeoTransform>${west}, ${metres}, 0, ${north}, 0, ${-metres}</GeoTransform>${[1, 2, 3].map(band).join('')}</VRTDataset>`;
}
