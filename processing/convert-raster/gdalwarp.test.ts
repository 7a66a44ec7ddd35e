import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { findCrs } from '@platen/formats/crs/find-crs';
import { hasCogValidator } from '@platen/formats/geotiff/testing-cog';
import { keysOf } from '@platen/formats/geotiff/testing';
import { createMosaicReader } from '../raster-source/read-mosaic.ts';
import { findMosaicSheets } from '../raster-source/find-sheets.ts';
import { pixelMetres, zoomOf } from '../raster-source/mercator-frame.ts';
import { readMask } from '../raster-source/mask/mask-settings.ts';
import { openSheetPixels } from '../raster-source/sheet-pixels.ts';
import { openSheetReader } from '../raster-source/read-sheets.ts';
import { afterFile } from '../../checks/clean-up.ts';
import { requireImageCodec } from '../kit/images/image-codec.ts';
import { testContext } from '../testing-context.ts';
import { openRasterTests } from './testing.ts';

const run = promisify(execFile);
const skip = hasCogValidator() ? false : 'SKIPPED: no GDAL here (apt-get install gdal-bin python3-gdal)';
const tests = await openRasterTests();
afterFile(tests.remove);

const [east, north] = [500_000, 5_500_000];
const side = 512;
const minPsnr = 45;
const maxShift = 0.05;

/** Waves that become shorter to the lower right, a little different in each band. */
const waves = (x: number, y: number, band: number): number =>
  Math.round(128 + 60 * Math.sin(x * (0.1 + x / 4000) + band) + 60 * Math.sin(y * (0.15 + y / 4000) - band));

/** GDAL 3.6 shifts what it shrinks by lanczos: by 0.43 pixels of the result against its own cubic. */
const isShiftedByGdal = (resampling: string, pixel: number): boolean =>
  resampling === 'lanczos' && pixel < 1.5;

/** Pixels that are nearly as large as those of the zoom, and some that are smaller, for which kernels become wider. */
for (const pixel of [2, 1.3])
  for (const resampling of ['nearest', 'bilinear', 'cubic', 'lanczos', 'average'] as const) {
    if (isShiftedByGdal(resampling, pixel)) continue;
    test(
      `pixels of ${pixel} m become what gdalwarp makes of them with ${resampling}`,
      { skip },
      async (t) => {
        const name = `waves-${pixel}-${resampling}.tif`;
        const image = { width: 900, height: 900, bands: 3, photometric: 2, sample: waves };
        const place = { scale: [pixel, pixel], tie: [0, 0, 0, east, north, 0] } as const;
        const input = await tests.put(name, { images: [image], keys: keysOf(25_832), ...place });
        const options = { strict: true, bands: undefined, mask: readMask({}), sheetBytes: 1 << 26 };
        const sheets = await findMosaicSheets([input], options, testContext({ inputs: [input] }));
        const reader = openSheetReader(sheets, await requireImageCodec(), 1 << 26);
        const pixels = openSheetPixels({ sheets, reader, collar: undefined, collarPath: '' });
        const readMosaic = createMosaicReader({ sheets, pixels, resampling, feather: 0 });
        const zoom = zoomOf(sheets[0]!.metres);
        const metres = pixelMetres(zoom);
        const half = pixelMetres(0) * 128;
        const middle = Float64Array.of(east + 450 * pixel, north - 450 * pixel);
        findCrs('EPSG:25832').toLonLat(middle, 1);
        findCrs('EPSG:3857').fromLonLat(middle, 1);
        const left = Math.round((middle[0]! + half) / metres) - side / 2;
        const top = Math.round((half - middle[1]!) / metres) - side / 2;
        const ours = (await readMosaic({ zoom, left, top, side }))!;
        await reader.close();
        const west = left * metres - half;
        const highest = half - top * metres;
        const extent = [west, highest - side * metres, west + side * metres, highest].map(String);
        const warped = join(tests.folder, `${name}.raw`);
        const kernel = {
          nearest: 'near',
          bilinear: 'bilinear',
          cubic: 'cubic',
          lanczos: 'lanczos',
          average: 'average',
        };
        const form = ['-of', 'ENVI', '-co', 'INTERLEAVE=BIP', '-et', '0', '-ts', `${side}`, `${side}`];
        const frame = ['-t_srs', 'EPSG:3857', '-te', ...extent, '-r', kernel[resampling]];
        await run('gdalwarp', ['-q', '-overwrite', ...form, ...frame, input.path, warped]);
        const { psnr, shift } = compare(ours, await readFile(warped));
        t.diagnostic(
          `${psnr.toFixed(1)} dB, shifted by ${shift.map((value) => value.toFixed(3)).join(', ')} px`,
        );
        assert.ok(Math.max(...shift.map(Math.abs)) <= maxShift, `shifted by ${shift.join(', ')}`);
        // of the nearest pixel, places near the middle between two may choose another one
        if (resampling !== 'nearest') assert.ok(psnr >= minPsnr, `${psnr} dB`);
      },
    );
  }

/** Over pixels that both show: PSNR, and the shift that explains most of the difference (Lucas and Kanade 1981). */
function compare(rgba: Uint8Array, rgb: Uint8Array): { psnr: number; shift: readonly [number, number] } {
  let [squares, count] = [0, 0];
  let [xx, xy, yy, xd, yd] = [0, 0, 0, 0, 0];
  for (let y = 20; y < side - 20; y++)
    for (let x = 20; x < side - 20; x++) {
      const at = y * side + x;
      assert.equal(rgba[at * 4 + 3], 255);
      const difference = rgba[at * 4]! - rgb[at * 3]!;
      const right = (rgb[(at + 1) * 3]! - rgb[(at - 1) * 3]!) / 2;
      const down = (rgb[(at + side) * 3]! - rgb[(at - side) * 3]!) / 2;
      squares += difference ** 2;
      count++;
      xx += right * right;
      xy += right * down;
      yy += down * down;
      xd += right * difference;
      yd += down * difference;
    }
  const determinant = xx * yy - xy * xy;
  const shift = [(yy * xd - xy * yd) / determinant, (xx * yd - xy * xd) / determinant] as const;
  return { psnr: 10 * Math.log10(255 ** 2 / Math.max(1e-9, squares / count)), shift };
}
