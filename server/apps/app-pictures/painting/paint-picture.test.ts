import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { styleItem } from '@platen/styles/style-item';
import { worldColours } from '@platen/viewer/world-colours';
import { worldDetail, worldMaxZoom, type WorldMap } from '@platen/viewer/world-module';
import { openWorldArchive, openWorlds } from '../../app-pages/world-tiles.ts';
import { viewOfData, type Bbox } from '../view.ts';
import { paintPicture, type PaintedLayer, type PaintInput } from './paint-picture.ts';

const words = { locale: 'en', others: 'Others', noValue: 'No value' };
const worlds = openWorlds();
const lines = await readFile(new URL('../../../../viewer/basemap/world-lines.pmtiles', import.meta.url));
const box: Bbox = [0, 0, 20, 10];
const view = viewOfData([], [box]);

/** A place in the unit square of Web Mercator. */
function mercatorOf(longitude: number, latitude: number): [x: number, y: number] {
  const angle = (latitude * Math.PI) / 180;
  return [longitude / 360 + 0.5, 0.5 - Math.log(Math.tan(Math.PI / 4 + angle / 2)) / (2 * Math.PI)];
}

interface Data {
  readonly kind: PaintedLayer['kind'];
  readonly bytes: Uint8Array;
  readonly style?: unknown;
}

const paint = (...layers: readonly Data[]) => paintOn({ view, world: 'world-light' }, layers);

interface Ground {
  readonly view: PaintInput['view'];
  readonly world: WorldMap;
}

/** @returns the colour at a place, as `#rrggbb` */
async function paintOn({ view, world }: Ground, layers: readonly Data[] = []) {
  const { rgba, width } = await paintPicture(
    {
      view,
      world: { maxZoom: worldMaxZoom, detailStyle: worldDetail(world).style },
      layers: layers.map(({ kind, bytes, style }) => ({ kind, blobId: '', size: bytes.length, style })),
    },
    {
      read: async (layer, offset, length) => layers[layer]!.bytes.subarray(offset, offset + length),
      worldTile: async (z, x, y) => (await worlds[world](z, x, y))?.bytes,
      worldDetail: openWorldArchive('world-detail'),
    },
  );
  return {
    rgba,
    at(longitude: number, latitude: number): string {
      const [x, y] = mercatorOf(longitude, latitude);
      const pixel =
        Math.round(view.top + y * view.worldPixels) * width + Math.round(view.left + x * view.worldPixels);
      return `#${Buffer.from(rgba.subarray(pixel * 4, pixel * 4 + 3)).toString('hex')}`;
    },
  };
}

const square = (west: number, south: number, size: number) => [
  [
    [west, south],
    [west + size, south],
    [west + size, south + size],
    [west, south + size],
    [west, south],
  ],
];
const feature = (type: string, coordinates: unknown, properties: object = {}) => ({
  type: 'Feature',
  properties,
  geometry: { type, coordinates },
});
const geojson = (...features: object[]) =>
  Buffer.from(JSON.stringify({ type: 'FeatureCollection', features }));
const fill = (color: unknown) => ({ type: 'VectorStyleItem', fill: { color }, stroke: null });

test('areas, lines and points of a GeoJSON file are in the colours of their style, and the world is around them', async () => {
  const bytes = geojson(
    feature('Polygon', square(1, 1, 4), { kind: 'park' }),
    feature('Polygon', square(7, 1, 4), { kind: 'wood' }),
    feature('Polygon', square(13, 1, 4), { kind: 'sea' }),
  );
  const categories = [
    { values: ['park'], colour: '#ff0000' },
    { values: ['wood'], colour: '#0000ff' },
  ];
  const colour = { type: 'categories', attribute: 'kind', categories } as const;
  const style = styleItem({ colour, opacity: 1, outline: null }, 'area', words);
  const above = geojson(
    feature('LineString', [
      [0, 3],
      [20, 3],
    ]),
    feature('MultiPoint', [
      [3, 8],
      [9, 8],
    ]),
  );
  const drawn = {
    type: 'VectorStyleItem',
    stroke: { color: 'rgb(0, 128, 0)', width: 8 },
    image: { radius: 9, fill: { color: [255, 255, 0, 1] }, stroke: { color: '#000', width: 3 } },
  };
  const [plain, { at }] = [
    await paint(),
    await paint({ kind: 'geojson', bytes, style }, { kind: 'geojson', bytes: above, style: drawn }),
  ];
  assert.deepEqual([at(2, 2), at(8, 2), at(3, 3), at(15, 3)], ['#ff0000', '#0000ff', '#008000', '#008000']);
  assert.equal(at(15, 2), plain.at(15, 2), 'a feature without a colour is not drawn');
  assert.deepEqual([at(3, 8), at(9, 8)], ['#ffff00', '#ffff00']);
  assert.equal(at(6, 6), plain.at(6, 6));
});

test('vector tiles are drawn by the conditions of their style, also those of several layers', async () => {
  const style = {
    type: 'DeclarativeStyleItem',
    declarativeStyle: {
      color: { conditions: [["${layer} === 'land'", "color('#123456', 1)"]] },
    },
  };
  const { at } = await paint({ kind: 'tiles', bytes: lines, style });
  assert.equal(at(10, 9), '#123456', 'land');
  assert.notEqual(at(2, 2), '#123456', 'sea');
});

test('a region is drawn with sharp waters, in the colours of the world map', async () => {
  const lake = viewOfData([], [[8.9, 47.2, 10, 48]]);
  for (const look of ['light', 'dark'] as const) {
    const { at } = await paintOn({ view: lake, world: `world-${look}` });
    const { water, land } = worldColours[look];
    // two kilometres across the north-western shore of Lake Constance
    assert.deepEqual([at(9.3, 47.63), at(9.29, 47.75)], [water, land], look);
  }
});

test('damaged data are left out, and the layers above are still drawn', async () => {
  const bytes = geojson(feature('Polygon', square(1, 1, 4)));
  const damaged: Data[] = [
    { kind: 'geojson', bytes: Buffer.from('{"type":"Feature') },
    {
      kind: 'geojson',
      bytes: Buffer.from(
        '{"type":"FeatureCollection","features":[null,{"geometry":{"type":"Polygon","coordinates":[[["a",{}]],7]}}]}',
      ),
    },
    { kind: 'tiles', bytes: lines.subarray(0, 60) },
    { kind: 'tiles', bytes: Buffer.from('PMTiles') },
  ];
  const { at } = await paint(...damaged, { kind: 'geojson', bytes, style: fill('#ff00ff') });
  assert.equal(at(3, 3), '#ff00ff');
});

test('styles that cannot be read are drawn in the default of the map viewer', async () => {
  const bytes = geojson(feature('Polygon', square(1, 1, 4)));
  const [plain, ...others] = await Promise.all(
    [undefined, null, 7, [], { type: 'VectorStyleItem', fill: {}, image: 3 }, { type: 'Unknown' }].map(
      (style) => paint({ kind: 'geojson', bytes, style }),
    ),
  );
  for (const { at } of others.slice(0, 3)) assert.equal(at(3, 3), plain!.at(3, 3));
});
