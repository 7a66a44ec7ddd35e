import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysOf, type WrittenTiff } from '@platen/formats/geotiff/testing';
import { afterFile } from '../../checks/clean-up.ts';
import type { JobContext, JobInput } from '../job-type.ts';
import { testContext } from '../testing-context.ts';
import { findMosaicSheets } from './find-sheets.ts';
import { createKnownSheets } from './known-sheets.ts';
import type { MosaicSheet } from './mosaic-sheet.ts';
import { readMask } from './mask/mask-settings.ts';
import { openSheetTests } from './testing.ts';

const tests = await openSheetTests(() => Promise.reject(new Error('Sheets are described without a job.')));
afterFile(tests.remove);

const corner = [500_000, 5_500_000] as const;
const palette = {
  photometric: 3,
  bits: 8 as const,
  more: { 320: Array.from({ length: 768 }, (_, i) => i * 64) },
};

const put = async (name: string, tiff: Partial<WrittenTiff> = {}): Promise<JobInput> => {
  const image = { width: 16, height: 16, sample: () => 9 };
  const place = { keys: keysOf(25_832), scale: [2, 2], tie: [0, 0, 0, ...corner, 0] } as const;
  return { ...(await tests.put(name, { images: [image], ...place, ...tiff })), content: name };
};

const describe = async (
  inputs: readonly JobInput[],
  known = createKnownSheets<MosaicSheet>(),
  { sheetBytes = 1 << 20, warn = (() => {}) as JobContext['warn'] } = {},
) => {
  const options = { strict: true, bands: undefined, mask: readMask({}), sheetBytes, known };
  const sheets = await findMosaicSheets(inputs, options, testContext({ inputs, warn }));
  return { sheets, records: [...known.records] };
};

test('known sheets are what their files say, wherever these lie now', async () => {
  const mask = await put('masked.tif.msk', {});
  const inputs = [
    await put('floats.tif', {
      images: [{ width: 16, height: 16, bits: 32, sampleFormat: 3, sample: () => 0.5 }],
      noData: 'nan',
    }),
    await put('palette.tif', { images: [{ width: 16, height: 16, sample: () => 9, ...palette }] }),
    { ...(await put('masked.tif')), related: { msk: mask.path } },
  ];
  const opened = await describe(inputs);
  const moved = (path: string): string => `/elsewhere${path}`;
  const again: JobInput[] = [];
  for (const input of inputs) {
    const related = input.related && { related: { msk: moved(mask.path) } };
    again.push({ ...input, path: moved(input.path), ...related });
  }
  const { sheets, records } = await describe(again, createKnownSheets<MosaicSheet>(opened.records));
  const expected: unknown[] = [];
  for (const { raster, ...sheet } of opened.sheets) {
    const path = moved(sheet.path);
    const mask = raster!.mask && { ...raster!.mask, path: moved(raster!.mask.path) };
    expected.push({ ...sheet, path, raster: { ...raster!, path, mask } });
  }
  // undefined members are left out
  assert.deepEqual(withoutUndefined(sheets), withoutUndefined(expected));
  assert.deepEqual(records, opened.records);
});

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutUndefined(member)]));
}

test('sheets of other content, place or name, with warnings or too little memory are opened', async () => {
  const input = await put('sheet.tif');
  const { records } = await describe([input]);
  const known = () => createKnownSheets<MosaicSheet>(records);
  const gone = { ...input, path: '/gone.tif' };
  assert.equal((await describe([gone], known())).sheets.length, 1);
  for (const other of [
    { ...gone, content: 'other' },
    { ...gone, name: 'other.tif' },
    { ...gone, crs: 'EPSG:25833' },
    { ...gone, related: { tfw: '/gone.tfw' } },
  ])
    await assert.rejects(describe([other], known()), /ENOENT/);
  await assert.rejects(describe([gone], known(), { sheetBytes: 100 }), /ENOENT/);
  const { content: _content, ...unknown } = input;
  assert.deepEqual((await describe([unknown])).records, []);
  const strange = await put('strange.tif', { tie: [0, 0, 0, 0, 0, 0] });
  let warnings = 0;
  const warn = (): void => void warnings++;
  const first = await describe([strange], undefined, { warn });
  await describe([strange], createKnownSheets<MosaicSheet>(first.records), { warn });
  assert.equal(warnings, 2);
});
