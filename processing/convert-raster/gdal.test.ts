import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { afterFile } from '../../checks/clean-up.ts';
import { cogValidator, debianPython, hasCogValidator } from '@platen/formats/geotiff/testing-cog';
import { openRasterTests } from './testing.ts';

const skip = hasCogValidator() ? false : 'SKIPPED: no GDAL here (apt-get install gdal-bin python3-gdal)';
const tests = await openRasterTests();
afterFile(tests.remove);

/** In one process, as Python takes longer to start than to do all of this. */
const program = `
import sys, json, numpy
from osgeo import gdal
from ${cogValidator} import validate
gdal.UseExceptions()
gdal.SetConfigOption('GDAL_TIFF_INTERNAL_MASK', 'YES')
source = gdal.GetDriverByName('MEM').Create('', 600, 540, 3, gdal.GDT_Byte)
source.SetProjection(gdal.osr.GetUserInputAsWKT('EPSG:25832'))
source.SetGeoTransform([500000, 0.5, 0, 5500000, 0, -0.5])
y, x = numpy.mgrid[0:540, 0:600]
for band in range(3):
    # other numbers in each pixel, so that none can be mistaken for another
    source.GetRasterBand(band + 1).WriteArray(((x * 7 + y * 13 + x * y * (band + 1)) % 256).astype('uint8'))
    source.GetRasterBand(band + 1).SetColorInterpretation(gdal.GCI_RedBand + band)
for line in sys.stdin:
    task, path, options = json.loads(line)
    answer = None
    if task == 'make':
        gdal.Translate(path, source, options=['-of', 'GTiff'] + options).FlushCache()
    elif task == 'read':
        answer = gdal.Info(path, format='json', computeChecksum=True)
    else:
        warnings, errors, _ = validate(path, full_check=True)
        answer = warnings + errors
    print(json.dumps(answer), flush=True)
`;

function startGdal() {
  const { stdin, stdout } = spawn(debianPython, ['-c', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  afterFile(async () => void stdin.end());
  const answers = createInterface(stdout)[Symbol.asyncIterator]();
  return async (task: 'make' | 'read' | 'validate', path: string, options: readonly string[] = []) => {
    stdin.write(`${JSON.stringify([task, path, options])}\n`);
    const { value, done } = await answers.next();
    if (done) throw new Error(`Python ended: ${task} ${path}`);
    return JSON.parse(value) as unknown;
  };
}

const gdal = skip ? undefined : startGdal();

/** What GDAL reads of a file: checksums of all bands, and what they mean. */
async function read(path: string): Promise<Record<string, unknown>> {
  const { bands, size, geoTransform, coordinateSystem, metadata } = (await gdal!('read', path)) as {
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

const rgba = ['-b', '1', '-b', '2', '-b', '3', '-b', '1', '-colorinterp_4', 'alpha'];

/** Options of gdal_translate that make files of many kinds from one of 600 × 540 pixels. */
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
  'masked.tif': ['-mask', '1', '-co', 'TILED=YES'],
  'alpha.tif': rgba,
  'point.tif': ['-mo', 'AREA_OR_POINT=Point'],
  'degrees.tif': ['-a_srs', 'EPSG:4258', '-a_ullr', '9', '50', '10', '49'],
};

for (const [name, options] of Object.entries(kinds)) {
  test(
    `GDAL finds in the result of ${name} all that it finds in it, and nothing to complain about`,
    { skip },
    async () => {
      const path = join(tests.folder, name);
      await gdal!('make', path, options);
      const made = await tests.run([await tests.inputOf(path)], { for: 'analysis' });
      assert.deepEqual(await read(made.path), await read(path));
      assert.deepEqual(await gdal!('validate', made.path), []);
    },
  );
}
