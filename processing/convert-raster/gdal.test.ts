import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { afterFile } from '../../checks/clean-up.ts';
import { promisify } from 'node:util';
import { debianPython, hasCogValidator, validateCog } from '@platen/formats/geotiff/testing-cog';
import { openRasterTests } from './testing.ts';

const run = promisify(execFile);
const skip = hasCogValidator() ? false : 'SKIPPED: no GDAL here (apt-get install gdal-bin python3-gdal)';
const tests = await openRasterTests();
afterFile(tests.remove);

/** What GDAL reads of a file: checksums of all bands, and what they mean. */
async function read(path: string): Promise<Record<string, unknown>> {
  const { stdout } = await run('gdalinfo', ['-json', '-checksum', path]);
  const { bands, size, geoTransform, coordinateSystem, metadata } = JSON.parse(stdout) as {
    readonly bands: readonly Record<string, unknown>[];
    readonly size: unknown;
    readonly geoTransform: unknown;
    readonly coordinateSystem: { readonly wkt: string };
    readonly metadata: Record<string, unknown>;
  };
  const kept = bands.map(({ block: _block, overviews: _overviews, mask, ...band }) => [
    band,
    (mask as { flags?: unknown } | undefined)?.flags,
  ]);
  return { kept, size, geoTransform, wkt: coordinateSystem?.wkt, own: metadata[''] };
}

const at = (file: string): string => join(tests.folder, file);

/** Other numbers in each pixel, so that none can be mistaken for another. */
const program = `
import sys, numpy
from osgeo import gdal
file = gdal.Open(sys.argv[1], 1)
y, x = numpy.mgrid[0:700, 0:900]
for band in range(3):
    file.GetRasterBand(band + 1).WriteArray(((x * 7 + y * 13 + x * y * (band + 1)) % 256).astype('uint8'))
`;

async function makeSource(): Promise<string> {
  const path = at('source.tif');
  const size = '-of GTiff -ot Byte -outsize 900 700 -bands 3 -burn 10';
  const place = '-a_srs EPSG:25832 -a_ullr 500000 5500000 500450 5499650';
  await run('gdal_create', [...`${size} ${place}`.split(' '), path]);
  await run(debianPython, ['-c', program, path]);
  return path;
}

const source = skip ? '' : makeSource();

const rgba = ['-b', '1', '-b', '2', '-b', '3', '-b', '1', '-colorinterp_4', 'alpha'];

/** Options of gdal_translate that make files of many kinds from one of 900 × 700 pixels. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  'strips.tif': [],
  'planar.tif': ['-co', 'INTERLEAVE=BAND', '-co', 'COMPRESS=LZW', '-co', 'PREDICTOR=2'],
  'tiles.tif': ['-co', 'TILED=YES', '-co', 'COMPRESS=ZSTD'],
  'shorts.tif': ['-ot', 'UInt16', '-scale', '0', '255', '0', '60000', '-a_nodata', '0'],
  'signed.tif': [
    '-ot',
    'Int32',
    '-scale',
    '0',
    '255',
    '-90000',
    '90000',
    '-b',
    '1',
    '-a_scale',
    '0.5',
    '-a_offset',
    '7',
  ],
  'floats.tif': [
    '-ot',
    'Float32',
    '-b',
    '2',
    '-a_nodata',
    '-3.4028234663852886e+38',
    '-co',
    'ENDIANNESS=BIG',
  ],
  'doubles.tif': ['-ot', 'Float64', '-co', 'BIGTIFF=YES', '-co', 'COMPRESS=DEFLATE', '-co', 'PREDICTOR=3'],
  'lerc.tif': ['-co', 'COMPRESS=LERC', '-co', 'TILED=YES'],
  'lerc-planar.tif': ['-co', 'COMPRESS=LERC_DEFLATE', '-co', 'INTERLEAVE=BAND', '-ot', 'Int16'],
  'lerc-floats.tif': ['-co', 'COMPRESS=LERC_ZSTD', '-ot', 'Float32', '-b', '1', '-b', '3'],
  'lerc-alpha.tif': [...rgba, '-co', 'COMPRESS=LERC'],
  'nibbles.tif': ['-b', '2', '-scale', '0', '255', '0', '15', '-co', 'NBITS=4', '-co', 'COMPRESS=LZW'],
  'quarters.tif': ['-scale', '0', '255', '0', '3', '-co', 'NBITS=2', '-co', 'TILED=YES'],
  'bits.tif': ['-b', '1', '-scale', '0', '255', '0', '1', '-co', 'NBITS=1'],
  'masked.tif': ['-mask', '1', '-co', 'TILED=YES', '--config', 'GDAL_TIFF_INTERNAL_MASK', 'YES'],
  'alpha.tif': rgba,
  'point.tif': ['-mo', 'AREA_OR_POINT=Point'],
  'degrees.tif': ['-a_srs', 'EPSG:4258', '-a_ullr', '9', '50', '10', '49'],
};

for (const [name, options] of Object.entries(kinds)) {
  test(
    `GDAL finds in the result of ${name} all that it finds in it, and nothing to complain about`,
    { skip },
    async () => {
      await run('gdal_translate', ['-q', ...options, await source, at(name)]);
      const made = await tests.run([await tests.inputOf(at(name))], { for: 'analysis' });
      assert.deepEqual(await read(made.path), await read(at(name)));
      assert.deepEqual(await validateCog(made.path), []);
    },
  );
}
