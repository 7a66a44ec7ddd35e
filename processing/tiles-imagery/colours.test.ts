import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCrs } from '@platen/formats/crs/find-crs';
import { keysOf, type WrittenImage } from '@platen/formats/geotiff/testing';
import { afterFile } from '../../checks/clean-up.ts';
import { openImageryTests, openTiles } from './testing.ts';

const tests = await openImageryTests();
afterFile(tests.remove);

const [east, north] = [500_000, 5_500_000];
const place = { keys: keysOf(25_832), scale: [2, 2], tie: [0, 0, 0, east, north, 0] } as const;
const png = { image: { format: 'png' } };

/** Four columns of 50 pixels with a number each. */
const columnsOf = (numbers: readonly number[], more: Partial<WrittenImage> = {}): WrittenImage => ({
  width: 200,
  height: 100,
  bits: 32,
  sampleFormat: 3,
  sample: (x) => numbers[Math.floor(x / 50)]!,
  ...more,
});

function placeOf(column: number): [lon: number, lat: number] {
  const position = Float64Array.of(east + (column * 50 + 25) * 2, north - 100);
  findCrs('EPSG:25832').toLonLat(position, 1);
  return [position[0]!, position[1]!];
}

const sideOf = (band: string): string =>
  `<PAMDataset><PAMRasterBand band="1">${band}</PAMRasterBand></PAMDataset>`;

/** @param band what the file beside the image says of it */
async function colours(image: WrittenImage, colour: object, band?: string) {
  const input = await tests.put('columns.tif', { images: [image], ...place });
  const side = new TextEncoder().encode(sideOf(band ?? ''));
  const sidecars = band === undefined ? [] : [await tests.put('columns.tif.aux.xml', side)];
  const { result, outputFolder } = await tests.run([input, ...sidecars], { ...png, colour });
  const { properties, typeProperties } = result.datasource!;
  const tiles = await openTiles(outputFolder);
  const { maxLevel } = typeProperties as { maxLevel: number };
  const found = await Promise.all([0, 1, 2, 3].map((column) => tiles.colourAt(maxLevel, placeOf(column))));
  const [legend] = (properties['legend'] ?? []) as { rows: { title: string; fill: { color: string } }[] }[];
  return {
    found: found.map((one) => one?.slice(0, 3)),
    legend: legend?.rows.map(({ title, fill }) => `${title} ${fill.color}`),
  };
}

test('one band is coloured by a ramp over its range, which the legend tells', async () => {
  const grey = await colours(columnsOf([0, 25, 50, 100]), { ramp: 'Grey', range: [0, 100] });
  assert.deepEqual(grey.found, [
    [0, 0, 0],
    [64, 64, 64],
    [128, 128, 128],
    [255, 255, 255],
  ]);
  assert.deepEqual(grey.legend, ['0 #000000', '100 #ffffff']);
  const sampled = await colours(columnsOf([3, 3, 9, 9]), { ramp: 'Terrain' });
  assert.deepEqual(sampled.found, [
    [84, 130, 102],
    [84, 130, 102],
    [245, 243, 240],
    [245, 243, 240],
  ]);
  assert.deepEqual(sampled.legend?.[0], '3 #548266');
  assert.deepEqual(sampled.legend?.at(-1), '9 #f5f3f0');
});

test('a ramp stretches images of 8 bits, too, of one band or more', async () => {
  const image = columnsOf([10, 10, 20, 20], { bits: 8, sampleFormat: 1, bands: 3, photometric: 2 });
  const { found } = await colours(image, { ramp: 'Grey', bands: [2] });
  assert.deepEqual(found, [
    [0, 0, 0],
    [0, 0, 0],
    [255, 255, 255],
    [255, 255, 255],
  ]);
});

test('a stretch reaches from the lowest number to the highest, of 8 bits as of others', async () => {
  for (const more of [{ bits: 8, sampleFormat: 1 }, {}] as const) {
    const image = columnsOf([100, 110, 120, 151], more);
    assert.deepEqual((await colours(image, { stretch: 0 })).found, [
      [0, 0, 0],
      [50, 50, 50],
      [100, 100, 100],
      [255, 255, 255],
    ]);
  }
  await assert.rejects(colours(columnsOf([1, 2, 3, 4]), { stretch: 5, range: [0, 1] }), /colour\.stretch/);
});

test('own classes keep their colours, without mixtures at their borders', async () => {
  const stops = [
    { value: 0, colour: '#0000ff', title: 'Water' },
    { value: 1, colour: '#00ff00' },
    { value: 7, colour: '#ff0000' },
  ];
  const { found, legend } = await colours(columnsOf([0, 1, 6.9, 99]), { stops, classed: true });
  assert.deepEqual(found, [
    [0, 0, 255],
    [0, 255, 0],
    [0, 255, 0],
    [255, 0, 0],
  ]);
  assert.deepEqual(legend, ['Water #0000ff', '1 – 7 #00ff00', '≥ 7 #ff0000']);
});

test('a gamma lightens what is dark, of 8 bits as of others', async () => {
  const wanted = [0, 64, 128, 255].map((value) => Math.round(255 * Math.sqrt(value / 255)));
  for (const [scale, more] of [
    [1, { bits: 8, sampleFormat: 1, bands: 3, photometric: 2 }],
    [100, { bits: 16, sampleFormat: 1 }],
    [0.5, {}],
  ] as const) {
    const image = columnsOf(
      [0, 64, 128, 255].map((value) => value * scale),
      more,
    );
    const range = scale === 1 ? {} : { range: [0, 255 * scale] };
    const { found, legend } = await colours(image, { gamma: 2, ...range });
    assert.deepEqual(
      found.map((one) => one?.[0]),
      wanted,
    );
    assert.equal(legend, undefined);
  }
});

test('the legend of a palette has its classes by their names, or else by their numbers', async () => {
  const shades = [0x0000, 0xffff, 0x8080];
  const colourMap = [0, 1, 2].flatMap((band) =>
    Array.from({ length: 256 }, (_, value) => (value < 3 ? shades[(value + band) % 3]! : 0)),
  );
  const image = columnsOf([0, 1, 2, 1], {
    bits: 8,
    sampleFormat: 1,
    photometric: 3,
    more: { 320: colourMap },
  });
  assert.deepEqual((await colours(image, {})).legend, ['0 #00ff80', '1 #ff8000', '2 #8000ff']);
  const names =
    '<CategoryNames><Category/><Category>Forest</Category><Category>Sea</Category></CategoryNames>';
  assert.deepEqual((await colours(image, {}, names)).legend, ['Forest #ff8000', 'Sea #8000ff']);
  assert.equal((await colours(columnsOf([0, 25, 50, 100]), {})).legend, undefined);
});

test('an attribute table colours the numbers of a file without a palette, unless the options do', async () => {
  const image = columnsOf([3, 41, 200, 3], { bits: 8, sampleFormat: 1 });
  const column = (usage: number): string => `<FieldDefn><Type>0</Type><Usage>${usage}</Usage></FieldDefn>`;
  const row = (...fields: readonly (string | number)[]): string =>
    `<Row>${fields.map((field) => `<F>${field}</F>`).join('')}</Row>`;
  const rows = row(3, 'Sea', 0, 90, 255) + row(41, 'Forest', 20, 120, 30);
  const table = `<GDALRasterAttributeTable>${[5, 2, 6, 7, 8].map(column).join('')}${rows}</GDALRasterAttributeTable>`;
  const { found, legend } = await colours(image, {}, table);
  assert.deepEqual(found, [
    [0, 90, 255],
    [20, 120, 30],
    [200, 200, 200],
    [0, 90, 255],
  ]);
  assert.deepEqual(legend, ['Sea #005aff', 'Forest #14781e']);
  const stops = [{ value: 0, colour: '#ff0000' }];
  assert.deepEqual((await colours(image, { stops }, table)).found[0], [255, 0, 0]);
});
