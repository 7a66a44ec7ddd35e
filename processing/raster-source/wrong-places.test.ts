import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysOf, writeTiff, type WrittenTiff } from '@platen/formats/geotiff/testing';
import { bytesOf } from '@platen/formats/bytes/unpacked-bytes';
import { readTiff } from '@platen/formats/geotiff/read-tiff';
import { tag } from '@platen/formats/geotiff/tags';
import { afterFile } from '../../checks/clean-up.ts';
import type { JobContext, JobInput } from '../job-type.ts';
import { requireImageCodec } from '../kit/images/image-codec.ts';
import { testContext } from '../testing-context.ts';
import { warnIfFarApart } from './far-apart.ts';
import { findMosaicSheets } from './find-sheets.ts';
import { readMask } from './mask/mask-settings.ts';
import { degreesOf } from './mercator-frame.ts';
import { readAround } from './testing-mosaic.ts';
import { joinSidecars } from './sidecars.ts';
import { openSheetTests } from './testing.ts';

const tests = await openSheetTests(() => Promise.reject(new Error('Sheets are read without a job.')));
afterFile(tests.remove);

const image = { width: 32, height: 32, bands: 3, photometric: 2, sample: () => 90 };
const place = { keys: keysOf(25_832), scale: [2, 2], tie: [0, 0, 0, 500_000, 5_500_000, 0] } as const;
const put = (name: string, more: Partial<WrittenTiff> = {}): Promise<JobInput> =>
  tests.put(name, { images: [image], ...place, ...more });

async function find(inputs: readonly JobInput[]) {
  const warnings: string[] = [];
  const warn: JobContext['warn'] = (code, message) => void warnings.push(`${code}: ${message}`);
  const options = { strict: true, bands: undefined, mask: readMask({}), sheetBytes: 1 << 24 };
  const sheets = await findMosaicSheets(inputs, options, testContext({ inputs, warn }));
  return { sheets, warnings };
}

test('sheets at the origin of coordinates or with exchanged axes are told', async () => {
  assert.deepEqual((await find([await put('right.tif')])).warnings, []);
  for (const [name, corner] of [
    ['zero.tif', [0, 0]],
    ['exchanged.tif', [5_500_000, 500_000]],
  ] as const) {
    const { warnings } = await find([await put(name, { tie: [0, 0, 0, ...corner, 0] })]);
    assert.match(warnings.join(), new RegExp(`^outsideCrsArea: ${name} is at .* axes may be exchanged`));
  }
  const keys = [
    [1024, 0, 1, 2],
    [2048, 0, 1, 4326],
  ] as const;
  const { warnings } = await find([
    await put('island.tif', { keys, scale: [1e-4, 1e-4], tie: [0, 0, 0, 0, 0, 0] }),
  ]);
  assert.match(warnings.join(), /where coordinates are 0/);
});

test('a sheet around a pole is shown up to where web maps end', async () => {
  const side = 8e6 / 32;
  const polar = { keys: keysOf(3031), scale: [side, side], tie: [0, 0, 0, -4e6, 4e6, 0] } as const;
  const input = await put('polar.tif', polar);
  const { sheets, warnings } = await find([input]);
  assert.match(warnings.join(), /^cutSheet: polar\.tif /);
  assert.equal(warnings.length, 1);
  const [{ box, metres }] = sheets as [(typeof sheets)[0]];
  assert.deepEqual(degreesOf(box).map(Math.round), [-180, -85, 180, -41]);
  assert.ok(metres > side && metres < side * 3, `${metres}`);
  const { rgba } = await readAround([input], { side: 256 });
  const shown = rgba.filter((value, i) => i % 4 === 3 && value > 0).length;
  assert.ok(shown > 0.8 * 256 ** 2, `${shown}`);
});

test('a sheet in another country is told with the factor that it costs', async () => {
  const near = await put('near.tif');
  const far = await put('far.tif', { tie: [0, 0, 0, 700_000, 5_900_000, 0] });
  const { sheets } = await find([near, far]);
  const warnings: string[] = [];
  const warn: JobContext['warn'] = (code, message) => void warnings.push(`${code}: ${message}`);
  warnIfFarApart(sheets, { warn }, (factor) => `It costs ${factor}.`);
  assert.match(
    warnings.join(),
    /^sheetsFarApart: .* (\d+) times as large as the sheets\. It costs \1\. .*easternmost far\.tif/,
  );
  warnIfFarApart(sheets.slice(0, 1), { warn }, () => '');
  assert.equal(warnings.length, 1);
});

test('world files with NaN, zero or too few numbers are refused by name; turned ones place the image', async () => {
  const picture = { width: 32, height: 32, bands: 3, samples: new Uint8Array(32 * 32 * 3).fill(90) };
  const codec = await requireImageCodec();
  const png = await tests.put('a.png', await codec.encode(picture, { format: 'png' }));
  const placed = async (text: string): Promise<JobInput> => {
    const world = await tests.put('a.pgw', Buffer.from(text));
    return { ...png, crs: 'EPSG:25832', related: { pgw: world.path } };
  };
  for (const text of ['NaN\n0\n0\n-2\n500001\n5499999', '0\n0\n0\n0\n500001\n5499999', '2\n0\n0'])
    await assert.rejects(
      async () => find([await placed(text)]),
      /The world file of a\.png \(\.pgw\) does not say where/,
    );
  const { rgba } = await readAround([await placed('1.4\n1.4\n1.4\n-1.4\n500001\n5499999')], { side: 512 });
  const shown = rgba.filter((value, i) => i % 4 === 3 && value > 0).length;
  // a pixel of this zoom is 1.53 m wide on the ground: 32 × 32 of 2 m
  assert.ok(shown > 1200 && shown < 2600, `${shown}`);
});

test('inputs with one name whose world files cannot be told apart are refused', async () => {
  const input = (name: string): JobInput => ({ name, path: `/${name}`, size: 1 });
  const twice = [input('a.jpg'), input('A.jpg'), input('a.jgw')];
  assert.throws(() => joinSidecars(twice), /Several inputs are called A\.jpg/);
  assert.equal(joinSidecars([input('a.jpg'), input('a.jpg')]).length, 2);
  assert.equal(
    joinSidecars([input('1/a.jpg'), input('2/a.jpg'), input('2/a.jgw')])[1]!.related!['jgw'],
    '/2/a.jgw',
  );
});

test('TIFFs with circles of directories, 2^31 tiles and wrong byte counts are refused by name', async () => {
  const bytes = writeTiff({ images: [{ ...image, tile: 16 }], ...place });
  const { directories } = await readTiff(bytesOf(bytes));
  const [{ tags, offset }] = directories as [(typeof directories)[0]];
  const refuses = async (name: string, change: (copy: Buffer) => void, reason: RegExp): Promise<void> => {
    const copy = Buffer.from(bytes);
    change(copy);
    const input = await tests.put(name, copy);
    await assert.rejects(readAround([input], { side: 512 }), (error: Error) => {
      assert.match(error.message, new RegExp(name.replace('.', '\\.')));
      assert.match(error.message, reason);
      return true;
    });
  };
  const end = offset + 2 + tags.size * 12;
  await refuses('circle.tif', (copy) => copy.writeUInt32LE(offset, end), /loop/);
  const counts = tags.get(tag.tileByteCounts)!;
  for (const count of [1, 2 ** 32 - 1])
    await refuses(
      `count-${count}.tif`,
      (copy) => copy.writeUInt32LE(count, counts.offset),
      /damaged|cut off|large/,
    );
  const setLong = (copy: Buffer, id: number, value: number): void => {
    for (let at = offset + 2; at < end; at += 12)
      if (copy.readUInt16LE(at) === id) {
        copy.writeUInt16LE(4, at + 2);
        copy.writeUInt32LE(value, at + 8);
      }
  };
  const huge = (copy: Buffer): void => {
    setLong(copy, tag.width, 2 ** 31);
    setLong(copy, tag.height, 2 ** 31);
  };
  await refuses('huge.tif', huge, /not on Earth|damaged|cut off/);
});
