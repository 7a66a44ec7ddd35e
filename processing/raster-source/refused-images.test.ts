import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysOf, writeTiff } from '@platen/formats/geotiff/testing';
import { afterFile } from '../../checks/clean-up.ts';
import { testContext } from '../testing-context.ts';
import { findMosaicSheets } from './find-sheets.ts';
import { readMask } from './mask/mask-settings.ts';
import { openSheetTests } from './testing.ts';

const tests = await openSheetTests(() => Promise.reject(new Error('Sheets are read without a job.')));
afterFile(tests.remove);

/** Codes of TIFF 6.0 and of its later notes. */
const compressions = {
  'CCITT RLE': 2,
  'CCITT fax 3': 3,
  'CCITT fax 4': 4,
  'old JPEG': 6,
  'JPEG 2000': 34_712,
  LZMA: 34_925,
  'JPEG XL': 50_002,
} as const;

const tiffOf = (code: number): Buffer =>
  writeTiff({
    images: [
      {
        width: 16,
        height: 16,
        tile: 16,
        sample: () => 0,
        packed: { compression: code, block: Buffer.alloc(9) },
      },
    ],
    keys: keysOf(25_832),
    scale: [2, 2],
    tie: [0, 0, 0, 500_000, 5_500_000, 0],
  });

const files: readonly (readonly [name: string, content: Buffer, what: string])[] = [
  ...Object.entries(compressions).map(
    ([name, code]) => [`by-${code}.tif`, tiffOf(code), `its compression (${name},`] as const,
  ),
  ['photo.ecw', Buffer.from('any'), 'an ECW image'],
  ['photo.sid', Buffer.from('msid and more'), 'a MrSID image'],
  ['photo.jxl', Buffer.from([0xff, 0x0a, 0, 0]), 'a JPEG XL image'],
  ['boxed.jxl', Buffer.from('\0\0\0\fJXL \r\n\x87\n', 'latin1'), 'a JPEG XL image'],
  ['grid.nc', Buffer.from('CDF\x01'), 'a NetCDF file'],
];

for (const [name, content, what] of files)
  test(`${name} is refused as ${what} with the command that mends it`, async () => {
    const file = await tests.put(name, content);
    const options = { strict: true, bands: undefined, mask: readMask({}), sheetBytes: 1 << 24 };
    await assert.rejects(
      findMosaicSheets([file], options, testContext({ inputs: [file] })),
      (error: Error) => {
        for (const part of [name, what, `gdal_translate -co COMPRESS=DEFLATE ${name} out.tif`])
          assert.ok(error.message.includes(part), error.message);
        return true;
      },
    );
  });
