import assert from 'node:assert/strict';
import { truncate } from 'node:fs/promises';
import { test } from 'node:test';
import { findCrs } from '@platen/formats/crs/find-crs';
import { hasCogValidator, validateCog } from '@platen/formats/geotiff/testing-cog';
import { keysOf, type WrittenImage, type WrittenTiff } from '@platen/formats/geotiff/testing';
import { findViewerFaults } from '@platen/formats/geotiff/viewer-faults';
import { afterFile } from '../../checks/clean-up.ts';
import { openImageCodec } from '../kit/images/image-codec.ts';
import { openMap, openRasterTests } from './testing.ts';

const tests = await openRasterTests();
afterFile(tests.remove);
const skip = hasCogValidator() ? false : 'SKIPPED: no validator of GDAL here (apt-get install python3-gdal)';

const [east, north] = [500_000, 5_500_000];
const utm = { keys: keysOf(25_832), scale: [2, 2], tie: [0, 0, 0, east, north, 0] } as const;

/** Squares of 50 pixels, each with a colour of its own. */
const squares: WrittenImage = {
  width: 400,
  height: 300,
  bands: 3,
  photometric: 2,
  sample: (x, y, band) => [Math.floor(x / 50) * 30, Math.floor(y / 50) * 40, 100][band]!,
};

type Rgba = [red: number, green: number, blue: number, alpha: number];

/** Longitude and latitude of a place that is so many pixels right and down. */
function placeOf(right: number, down: number): [lon: number, lat: number] {
  const position = Float64Array.of(east + right * 2, north - down * 2);
  findCrs('EPSG:25832').toLonLat(position, 1);
  return [position[0]!, position[1]!];
}

function isNear(actual: readonly number[], wanted: readonly number[], tolerance: number): void {
  const off = wanted.map((value, i) => Math.abs(value - actual[i]!));
  assert.ok(Math.max(...off) <= tolerance, `${actual.join(', ')} instead of ${wanted.join(', ')}`);
}

for (const [format, isMasked] of [
  ['jpeg', true],
  ['webp', false],
] as const) {
  test(`makes imagery that the viewer shows, as ${format}: every colour in its place, nothing around`, async () => {
    const input = await tests.put('squares.tif', { images: [squares], ...utm });
    const { path, result, warnings } = await tests.run([input], { image: { format } });
    assert.deepEqual(warnings, []);
    const { datasource } = result;
    assert.equal(datasource?.type, 'cog');
    const [west, , , top] = datasource!.bbox!;
    isNear([west, top], placeOf(0, 0), 1e-4);
    const map = await openMap(path);
    assert.deepEqual(findViewerFaults(map.images, 'EPSG:3857'), []);
    assert.equal(
      map.images.some(({ isMask }) => isMask),
      isMasked,
    );
    const { width, height, blockWidth } = map.images[0]!;
    assert.deepEqual([width % 256, height % 256, blockWidth], [0, 0, 256]);
    for (const [x, y] of [
      [0, 0],
      [3, 2],
      [7, 5],
    ] as const)
      isNear(await map.colourAt(placeOf(x * 50 + 25, y * 50 + 25)), [x * 30, y * 40, 100, 255], 4);
    assert.equal((await map.colourAt(placeOf(-2, 10)))[3], 0);
    assert.equal((await map.colourAt(placeOf(402, 290)))[3], 0);
    assert.equal((await map.colourAt(placeOf(1, 1)))[3], 255);
    for (const [x, y] of [
      [0, 0],
      [width - 1, 0],
      [0, height - 1],
      [width - 1, height - 1],
    ] as const)
      assert.equal((await map.pixel(x, y))[3], 0, 'the rim is transparent');
    const smallest = map.images.findLast(({ isMask }) => !isMask)!;
    assert.ok(smallest.width <= 256 && smallest.height <= 256);
    await map.close();
    if (!skip) assert.deepEqual(await validateCog(path), []);
  });
}

test('numbers of other types are stretched alike in all sheets, palettes and no data are respected', async () => {
  const deep = (value: (x: number) => number): WrittenImage => ({
    width: 200,
    height: 200,
    bits: 16,
    sample: (x) => value(x),
  });
  const tieAt = (right: number): readonly number[] => [0, 0, 0, east + right * 2, north, 0];
  const sheets = [
    await tests.put('dark.tif', { images: [deep((x) => (x < 20 ? 0 : 1000))], ...utm, noData: '0' }),
    await tests.put('bright.tif', { images: [deep(() => 3000)], ...utm, noData: '0', tie: tieAt(200) }),
  ];
  const map = await openMap((await tests.run(sheets)).path);
  isNear(await map.colourAt(placeOf(100, 100)), [0, 0, 0, 255], 3);
  isNear(await map.colourAt(placeOf(300, 100)), [255, 255, 255, 255], 3);
  assert.equal((await map.colourAt(placeOf(10, 100)))[3], 0);
  await map.close();
  const ranged = await openMap((await tests.run(sheets, { colour: { range: [0, 4000] } })).path);
  isNear(await ranged.colourAt(placeOf(100, 100)), [64, 64, 64, 255], 3);
  await ranged.close();
});

test('bands are chosen, and one that is not there is refused', async () => {
  const input = await tests.put('bands.tif', { images: [squares], ...utm });
  const map = await openMap((await tests.run([input], { colour: { bands: [3, 3, 1] } })).path);
  isNear(await map.colourAt(placeOf(225, 25)), [100, 100, 120, 255], 4);
  await map.close();
  await assert.rejects(
    tests.run([input], { colour: { bands: [1, 2, 7] } }),
    /band 7, but bands.tif has 3 bands/,
  );
  await assert.rejects(tests.run([input], { colour: { bands: [1, 2] } }), /one band or three/);
});

test('abutting sheets leave no gap, and the finer one is on top', async () => {
  const flat = (value: number): WrittenImage => ({ ...squares, sample: () => value });
  const sheets = [
    await tests.put('fine.tif', {
      images: [flat(200)],
      ...utm,
      scale: [1, 1],
      tie: [0, 0, 0, east + 200, north - 200, 0],
    }),
    await tests.put('west.tif', { images: [flat(50)], ...utm }),
    await tests.put('east.tif', { images: [flat(50)], ...utm, tie: [0, 0, 0, east + 800, north, 0] }),
  ];
  const map = await openMap((await tests.run(sheets)).path);
  for (let right = 380; right < 420; right += 0.25)
    isNear(await map.colourAt(placeOf(right, 20.1)), [50, 50, 50, 255], 3);
  isNear(await map.colourAt(placeOf(200, 150)), [200, 200, 200, 255], 3);
  await map.close();
});

for (const [format, tolerance] of [
  ['jpeg', 6],
  ['webp', 8],
] as const)
  test(`no colour comes through at the edges of what is shown, as ${format}`, async () => {
    const colour = [90, 160, 40];
    const image = {
      ...squares,
      width: 90,
      height: 90,
      sample: (_x: number, _y: number, i: number) => colour[i]!,
    };
    const input = await tests.put(`edges-${format}.tif`, { images: [image], ...utm });
    const map = await openMap((await tests.run([input], { image: { format } })).path);
    const { width, height } = map.images[0]!;
    let [shown, mostOff] = [0, 0];
    for (let i = 0; i < width * height; i++) {
      const [red, green, blue, alpha] = (await map.pixel(i % width, Math.floor(i / width))) as Rgba;
      if (alpha === 0) continue;
      shown++;
      mostOff = Math.max(
        mostOff,
        ...[red, green, blue].map((value, band) => Math.abs(value - colour[band]!)),
      );
    }
    await map.close();
    assert.ok(shown > 8000, `${shown} pixels`);
    assert.ok(mostOff <= tolerance, `a colour is ${mostOff} off`);
  });

test('an image with a world file beside it becomes imagery, too', async () => {
  const codec = (await openImageCodec())!;
  const samples = Uint8Array.from({ length: 200 * 100 * 3 }, (_, i) => [180, 20, 90][i % 3]!);
  const encoded = await codec.encode({ width: 200, height: 100, bands: 3, samples }, { format: 'png' });
  const inputs = [
    await tests.put('photo.png', encoded),
    await tests.put(
      'photo.pgw',
      Buffer.from(['2', '0', '0', '-2', `${east + 1}`, `${north - 1}`].join('\n')),
    ),
  ];
  await assert.rejects(tests.run(inputs), /photo\.png does not say in which coordinate system it is/);
  const [picture, world] = inputs as [(typeof inputs)[0], (typeof inputs)[0]];
  const map = await openMap((await tests.run([{ ...picture, crs: 'EPSG:25832' }, world])).path);
  isNear(await map.colourAt(placeOf(100, 50)), [180, 20, 90, 255], 5);
  await map.close();
  await assert.rejects(tests.run([picture]), /photo\.png does not say where it is\. Add its world file/);
});

const metresAt16 = 40_075_016.6855785 / 256 / 2 ** 16;
for (const [what, place] of [
  ['warped', utm],
  [
    'copied on the grid of web maps',
    {
      keys: keysOf(3857),
      scale: [metresAt16, metresAt16],
      tie: [0, 0, 0, 420_000 * metresAt16, 2_800_000 * metresAt16, 0],
    },
  ],
] as const)
  test(`a sheet of which a part cannot be read is left out and shown as its outline: ${what}`, async () => {
    const plain = (value: number): WrittenImage => ({
      width: 200,
      height: 200,
      bands: 3,
      photometric: 2,
      sample: () => value,
    });
    const { scale, tie } = place;
    const eastward = [0, 0, 0, tie[3] + 200 * scale[0], tie[4], 0];
    const whole = await tests.put('whole.tif', { images: [plain(200)], ...place });
    const cutOff = await tests.put('cut.tif', { images: [plain(90)], ...place, tie: eastward });
    await truncate(cutOff.path, cutOff.size - 20_000);
    const { path, result, warnings, rejects } = await tests.run([whole, cutOff]);
    assert.match(warnings[0]!.message, /cut\.tif cannot be read/);
    assert.equal(rejects.length, 1);
    assert.equal((rejects[0]!.geometry as { type: string }).type, 'Polygon');
    const [west, south, east, north] = result.datasource!.bbox!;
    const map = await openMap(path);
    const middle = (south + north) / 2;
    isNear(await map.colourAt([west + (east - west) / 4, middle]), [200, 200, 200, 255], 3);
    assert.equal((await map.colourAt([east - (east - west) / 4, middle]))[3], 0);
    await map.close();
    await assert.rejects(
      tests.run([whole, cutOff], { processing: { strict: true } }),
      /cut\.tif cannot be read/,
    );
  });

test('a sheet in another country is named, and not made room for', async () => {
  const sheet = (tie: readonly number[]): WrittenTiff => ({
    images: [squares],
    ...utm,
    scale: [0.1, 0.1],
    tie,
  });
  const inputs = [
    await tests.put('here.tif', sheet([0, 0, 0, east, north, 0])),
    await tests.put('there.tif', sheet([0, 0, 0, 900_000, 1_000_000, 0])),
  ];
  await assert.rejects(tests.run(inputs), /which is more than a job makes.*southernmost there\.tif/);
});

test('what lies beyond the edge of web maps is left out with a warning', async () => {
  const world: WrittenTiff = {
    images: [{ ...squares, width: 360, height: 180 }],
    keys: keysOf(4326, 2),
    scale: [1, 1],
    tie: [0, 0, 0, -180, 90, 0],
  };
  const { path, warnings } = await tests.run([await tests.put('world.tif', world)]);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['cutSheet'],
  );
  const map = await openMap(path);
  isNear(await map.colourAt([45, 45]), [120, 0, 100, 255], 6);
  await map.close();
});

test('colours of one band, and their legend in the properties', async () => {
  const image = { ...squares, bands: 1, photometric: 1, sample: (x: number) => (x < 200 ? 5 : 80) };
  const input = await tests.put('noise.tif', { images: [image], ...utm });
  const stops = [
    { value: 0, colour: '#00aa00', title: 'quiet' },
    { value: 50, colour: '#cc0000' },
  ];
  const { path, result } = await tests.run([input], { colour: { stops, classed: true } });
  const map = await openMap(path);
  isNear(await map.colourAt(placeOf(50, 150)), [0, 170, 0, 255], 4);
  isNear(await map.colourAt(placeOf(350, 150)), [204, 0, 0, 255], 4);
  await map.close();
  const rows = [
    { type: 'FillLegendRow', title: 'quiet', fill: { color: '#00aa00' } },
    { type: 'FillLegendRow', title: '≥ 50', fill: { color: '#cc0000' } },
  ];
  assert.deepEqual(result.datasource!.properties['legend'], [{ type: 'StyleLegendItem', colNr: 1, rows }]);
});
