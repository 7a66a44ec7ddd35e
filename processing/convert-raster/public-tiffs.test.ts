import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { afterFile } from '../../checks/clean-up.ts';
import { cogValidator, debianPython, hasCogValidator } from '@platen/formats/geotiff/testing-cog';
import { openRasterTests } from './testing.ts';

/** The folder `files` of https://github.com/GeoTIFF/test-data, or any other with TIFFs. */
const folder = process.env['PLATEN_TIFF_SAMPLES'] ?? '';
const skip = !existsSync(folder)
  ? 'SKIPPED: no TIFFs to compare with GDAL; name a folder of them in PLATEN_TIFF_SAMPLES, such as files/ of github.com/GeoTIFF/test-data'
  : !hasCogValidator() && 'SKIPPED: no GDAL here (apt-get install gdal-bin python3-gdal)';
const tests = await openRasterTests();
afterFile(tests.remove);

/** What differs between two files in what GDAL reads of them, and what its validator finds in the second. */
const program = `
import sys, json, numpy
from osgeo import gdal
from ${cogValidator} import validate
gdal.UseExceptions()
one, other = [gdal.Open(path) for path in sys.argv[1:3]]
differences = []
def compare(what, a, b):
    if a != b: differences.append(f'{what}: {a} became {b}')
compare('size', (one.RasterXSize, one.RasterYSize, one.RasterCount), (other.RasterXSize, other.RasterYSize, other.RasterCount))
compare('place', one.GetGeoTransform(can_return_null=True), other.GetGeoTransform(can_return_null=True))
compare('system', one.GetProjection(), other.GetProjection())
for number in range(1, one.RasterCount + 1) if not differences else []:
    a, b = one.GetRasterBand(number), other.GetRasterBand(number)
    compare(f'type {number}', a.DataType, b.DataType)
    compare(f'no data {number}', repr(a.GetNoDataValue()), repr(b.GetNoDataValue()))
    x, y = a.ReadAsArray(), b.ReadAsArray()
    same = (x == y) | ((x != x) & (y != y))
    if not same.all(): differences.append(f'{(~same).sum()} pixels of band {number}')
    if (a.GetMaskBand().ReadAsArray() != b.GetMaskBand().ReadAsArray()).any(): differences.append(f'mask {number}')
warnings, errors, _ = validate(sys.argv[2], full_check=True)
print(json.dumps(differences + warnings + errors))
`;

test('TIFFs that others have published are read as GDAL reads them', { skip }, async (t) => {
  const names = readdirSync(folder).filter((name) => /\.(tiff?|cog)$/i.test(name));
  assert.ok(names.length > 0, `there is no TIFF in ${folder}`);
  for (const name of names)
    await t.test(name, async () => {
      const path = join(folder, name);
      const made = await tests.run([await tests.inputOf(path)], { for: 'analysis' });
      const { stdout } = await promisify(execFile)(debianPython, ['-c', program, path, made.path]);
      assert.deepEqual(JSON.parse(stdout), []);
    });
});
