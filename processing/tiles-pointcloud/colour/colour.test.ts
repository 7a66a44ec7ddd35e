import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { findCrs } from '@platen/formats/crs/find-crs';
import { writeTiff, type WrittenTiff } from '@platen/formats/geotiff/testing';
import { writeLas, type WrittenPoint } from '@platen/formats/las/testing';
import { afterFile } from '../../../checks/clean-up.ts';
import { JobFailure } from '../../job-type.ts';
import { openPointTests, readTileset, type PointRun } from '../testing.ts';
import { littleMemory, small, town, utm } from '../testing-town.ts';
import { colourAt } from './colour-at.ts';

const tests = await openPointTests();
afterFile(() => tests.remove());

const [east, north] = [500_000, 5_400_000];
type Colour = readonly [red: number, green: number, blue: number];

/** Points that are told apart by their intensities. */
const numbered = (points: WrittenPoint[], first = 0) =>
  points.map((point, i) => Object.assign(point, { intensity: first + i }));

/** Linear over the place in UTM 32, so that it does not depend on pixels. */
const colourOf = (x: number, y: number): Colour => [20 + (x - east), 20 + (y - north), 90];

/** A square image whose pixels have the colours of their middles. */
function imageOf({
  code = 25832,
  corner: [left, top] = [east - 10, north + 160],
  metres = 0.5,
  side = 480,
  change = {},
}: {
  readonly code?: number;
  readonly corner?: readonly [number, number];
  readonly metres?: number;
  readonly side?: number;
  readonly change?: Partial<WrittenTiff>;
}): Buffer {
  const [from, to] = [findCrs(`EPSG:${code}`), findCrs('EPSG:25832')];
  return writeTiff({
    keys: [
      [1024, 0, 1, 1],
      [1025, 0, 1, 1],
      [3072, 0, 1, code],
    ],
    scale: [metres, metres],
    tie: [0, 0, 0, left, top, 0],
    images: [
      {
        width: side,
        height: side,
        bands: 3,
        photometric: 2,
        tile: 64,
        sample(column, row, band) {
          const at = Float64Array.of(left + (column + 0.5) * metres, top - (row + 0.5) * metres);
          if (code !== 25832) {
            from.toLonLat(at, 1);
            to.fromLonLat(at, 1);
          }
          return Math.min(255, Math.max(1, Math.round(colourOf(at[0]!, at[1]!)[band]!)));
        },
      },
    ],
    ...change,
  });
}

async function coloursIn(run: PointRun): Promise<Map<number, Colour>> {
  const { tiles } = await readTileset(run);
  return new Map(
    tiles.flatMap(({ colours, properties }) =>
      Array.from(properties['INTENSITY']!, (intensity, i) => {
        const [red = 0, green = 0, blue = 0] = colours!.subarray(i * 3, i * 3 + 3);
        return [intensity, [red, green, blue] as const] as const;
      }),
    ),
  );
}

function assertColour(actual: Colour | undefined, expected: Colour, tolerance: number): void {
  assert.ok(
    actual && expected.every((value, i) => Math.abs(Math.round(value) - actual[i]!) <= tolerance),
    `${actual?.join(' ')} instead of ${expected.join(' ')}`,
  );
}

const plain = (points: readonly WrittenPoint[]) =>
  writeLas({ minor: 4, pointFormat: 6, points, records: [utm] });
const options = (colour: object) => ({
  ...small,
  modelOptions: { attributes: ['intensity'] },
  processing: { colour },
});

for (const code of [25832, 25833])
  test(`points get the colour of their place in an image of EPSG:${code}`, async () => {
    const points = numbered(town(20_000));
    const corner = Float64Array.of(east - 10, north + 160);
    if (code !== 25832) {
      findCrs('EPSG:25832').toLonLat(corner, 1);
      findCrs(`EPSG:${code}`).fromLonLat(corner, 1);
      // there, north is turned: the image covers all the same
      corner[0]! -= 40;
      corner[1]! += 40;
    }
    const run = await tests.run(
      [
        await tests.put('town.las', plain(points)),
        await tests.put('photo.tif', imageOf({ code, corner: [corner[0]!, corner[1]!], side: 640 })),
      ],
      options({}),
    );
    assert.deepEqual(
      run.warnings.filter((warning) => warning.code !== 'outsideCrsArea'),
      [],
    );
    const colours = await coloursIn(run);
    assert.equal(colours.size, 20_000);
    for (const { x, y, intensity } of points) assertColour(colours.get(intensity!), colourOf(x, y), 1);
    const { uncoloured, styles } = run.result.datasource!.properties;
    assert.equal(uncoloured, 0);
    assert.equal((styles as { name: string }[])[0]!.name, 'Colour');
  });

test('only points that have no colour get one, unless all should, and only of the classes', async () => {
  const points = numbered(town(6000)).map((point, i) =>
    i % 2 ? point : Object.assign(point, { colour: [0, 0, 0] }),
  );
  const inputs = [
    await tests.put('town.las', writeLas({ minor: 4, pointFormat: 7, points, records: [utm] })),
    await tests.put('photo.tif', imageOf({})),
  ];
  const missing = await coloursIn(await tests.run(inputs, options({})));
  const always = await coloursIn(await tests.run(inputs, options({ when: 'always' })));
  const houses = await coloursIn(await tests.run(inputs, options({ when: 'always', classes: [6] })));
  for (const { x, y, intensity, colour, classification } of points) {
    const own = colour as Colour;
    const image = colourOf(x, y);
    assertColour(missing.get(intensity!), own[1] === 0 ? image : own, 1);
    assertColour(always.get(intensity!), image, 1);
    assertColour(houses.get(intensity!), classification === 6 ? image : own, 1);
  }
});

test('points outside of all images stay as they are, and are counted', async () => {
  const points = numbered(town(8000));
  // the eastern half, of which a part has no data
  const photo = imageOf({ corner: [east + 100, north + 160], change: { noData: '90' } });
  const inputs = [await tests.put('town.las', plain(points)), await tests.put('photo.tif', photo)];
  const run = await tests.run(inputs, options({}));
  const colours = await coloursIn(run);
  let outside = 0;
  for (const { x, y, intensity } of points) {
    const isOutside = x < east + 100;
    if (isOutside) outside++;
    assertColour(colours.get(intensity!), isOutside ? [0, 0, 0] : colourOf(x, y), 1);
  }
  assert.ok(outside > 1000);
  assert.deepEqual(
    run.warnings.map(({ code, times }) => [code, times]),
    [['outsideImage', outside]],
  );
  assert.equal(run.result.datasource!.properties['uncoloured'], outside);
});

test('of several images the finer one counts, and neither threads nor memory change a byte', async () => {
  const points = numbered(town(60_000));
  const fine = imageOf({ corner: [east + 50, north + 100], metres: 0.25, side: 320 });
  const grey = imageOf({ metres: 1, side: 240, change: {} });
  const inputs = [
    await tests.put('town.las', plain(points)),
    await tests.put('grey.tif', grey),
    await tests.put('fine.tif', fine),
  ];
  const archiveOf = ({ outputFolder, result }: PointRun) =>
    readFileSync(join(outputFolder, result.datasource!.path));
  const runWith = (workers: number, more = {}) =>
    tests.run(inputs, { ...options({}), processing: { colour: {}, workers } }, more);
  const first = await runWith(1);
  const colours = await coloursIn(first);
  for (const { x, y, intensity } of points) assertColour(colours.get(intensity!), colourOf(x, y), 1);
  for (const [workers, more] of [
    [2, littleMemory],
    [3, {}],
  ] as const)
    assert.ok(archiveOf(await runWith(workers, more)).equals(archiveOf(first)));
});

test('an image that cannot be read is set aside by name, and strict ends the job', async () => {
  const whole = imageOf({});
  const inputs = [
    await tests.put('town.las', plain(numbered(town(3000)))),
    await tests.put('whole.tif', whole),
    await tests.put('cut.tif', Buffer.from('II*\0nothing')),
  ];
  const run = await tests.run(inputs, options({}));
  assert.equal(run.result.datasource!.properties['uncoloured'], 0);
  const strict = { ...options({}), processing: { colour: {}, strict: true } };
  await assert.rejects(tests.run(inputs, strict), JobFailure);
});

test('images elsewhere, none, and names that no input has are refused', async () => {
  const cloud = await tests.put('town.las', plain(numbered(town(100))));
  const far = await tests.put('far.tif', imageOf({ corner: [east + 50_000, north] }));
  await assert.rejects(
    tests.run([cloud, far], options({})),
    /far\.tif does not reach any of the point clouds/,
  );
  await assert.rejects(tests.run([cloud], options({})), /none of the inputs is an image/);
  await assert.rejects(
    tests.run([cloud, far], options({ from: 'a.tif' })),
    /there is no input “a\.tif”, but/,
  );
});

test('a colour lies between those of the four pixels around, and hidden ones do not count', () => {
  const pixels = fc.record({
    values: fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 9, maxLength: 9 }),
    shown: fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
    x: fc.double({ min: 0, max: 3, noNaN: true }),
    y: fc.double({ min: 0, max: 3, noNaN: true }),
  });
  fc.assert(
    fc.property(pixels, ({ values, shown, x, y }) => {
      const rgba = Uint8Array.from(values.flatMap((value, i) => [value, value, value, shown[i] ? 255 : 0]));
      const window = { column: 0, row: 0, width: 3, height: 3 };
      const part = { window, rgba, width: 3, height: 3, isNearest: false };
      const colour = colourAt(part, x, y);
      const limit = (value: number) => Math.min(2, Math.max(0, value - 0.5));
      const around = [Math.floor, Math.ceil].flatMap((row) =>
        [Math.floor, Math.ceil].map((column) => row(limit(y)) * 3 + column(limit(x))),
      );
      const visible = around.filter((i) => shown[i]).map((i) => values[i]!);
      if (colour === undefined) assert.ok(visible.length < 4);
      else {
        assert.ok((colour & 255) >= Math.min(...visible) && (colour & 255) <= Math.max(...visible));
        assert.equal(colour & 255, colour >> 16);
      }
    }),
  );
});
