import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { VectorTileFeature } from '@mapbox/vector-tile';
import { collection, feature, point, setUpTiler } from '../testing-tiler.ts';
import type { TilesVectorOptions } from '../spec.ts';

const { run } = await setUpTiler();

const extent = 4096;
const size = 13;
const distance = 8;
/** The same as the tiler assumes, or a little less, of these texts. */
const widthOf = (text: string): number => text.length * 0.32 * size + distance;
const labels = { attribute: 'name', rankBy: [{ attribute: 'population' }], size, distance };

/** Places spread by a fixed sequence over a country, with populations in no order. */
const places = Array.from({ length: 2000 }, (_, i) =>
  point(8 + ((i * 0.754877) % 1) * 6, 47 + ((i * 0.569841) % 1) * 6, {
    name: `Place ${i}`,
    population: (i * 7919) % 2003,
  }),
);

interface Shown {
  readonly x: number;
  readonly y: number;
  readonly name: string;
  readonly population: number;
}

/** The labelled features of a zoom, with their place in pixels of the world. */
async function labelledAt(made: Awaited<ReturnType<typeof run>>, zoom: number): Promise<Shown[]> {
  const found = new Map<string, Shown>();
  for (let x = 0; x < 2 ** zoom; x++) {
    for (let y = 0; y < 2 ** zoom; y++) {
      const layers = Object.values(await made.tile(zoom, x, y)).flat();
      for (const one of layers.filter(({ properties }) => properties['label_zoom'] !== undefined)) {
        const at = one.loadGeometry()[0]![0]!;
        const { name, population } = one.properties as { name: string; population: number };
        const pixels = (tile: number, units: number) => (tile + units / extent) * 256;
        found.set(name, { x: pixels(x, at.x), y: pixels(y, at.y), name, population });
      }
    }
  }
  return [...found.values()];
}

test('no two labels of a zoom overlap, the most important are there, and all stay at higher zooms', async () => {
  const made = await run(collection(places), { tiling: { maxZoom: 7, labels } });
  let before: readonly Shown[] = [];
  for (let zoom = 3; zoom <= 7; zoom++) {
    const shown = await labelledAt(made, zoom);
    for (const [i, one] of shown.entries()) {
      for (const other of shown.slice(i + 1)) {
        const right = other.x - one.x;
        const isClear = right >= widthOf(one.name) || -right >= widthOf(other.name);
        assert.ok(
          isClear || Math.abs(one.y - other.y) > size,
          `${one.name} and ${other.name} overlap at zoom ${zoom}`,
        );
      }
    }
    const foremost = places.reduce((best, one) => (populationOf(one) > populationOf(best) ? one : best));
    assert.ok(shown.some(({ population }) => population === populationOf(foremost)));
    const names = new Set(shown.map(({ name }) => name));
    assert.ok(
      before.every(({ name }) => names.has(name)),
      `labels vanish at zoom ${zoom}`,
    );
    assert.ok(shown.length > before.length);
    before = shown;
  }
});

const populationOf = (place: object) =>
  (place as { properties: { population: number } }).properties.population;

test('the archive is the same with any number of threads, in memory and with files', async () => {
  const around = places.map((_, i) =>
    point(((i * 0.754877) % 1) * 360 - 180, ((i * 0.569841) % 1) * 160 - 80, {
      name: `Place ${i}`,
      population: (i * 7919) % 103,
    }),
  );
  const text = collection([...around, ...squares, ...streets]);
  const archives = await Promise.all(
    [{ workers: 1 }, { workers: 3 }, { workers: 2, memoryMegabytes: 2 }].map(async (limits) => {
      const processing = { ...limits, whenTooLarge: 'keep' };
      const { isSpilled, path, warnings } = await run(text, {
        tiling: { minZoom: 4, maxZoom: 5, labels },
        processing,
      });
      assert.deepEqual([...warnings.keys()], []);
      assert.equal(isSpilled, 'memoryMegabytes' in limits);
      return readFile(path);
    }),
  );
  for (const archive of archives.slice(1)) assert.ok(archive.equals(archives[0]!));
});

const square = (west: number, south: number, side: number, properties: object) =>
  feature(
    {
      type: 'Polygon',
      coordinates: [
        [
          [west, south],
          [west + side, south],
          [west + side, south + side],
          [west, south + side],
          [west, south],
        ],
      ],
    },
    properties,
  );
const squares = [square(0, 0, 10, { name: 'Large', population: 5 }), square(20, 0, 10, { population: 3 })];
const streets = [
  feature(
    {
      type: 'LineString',
      coordinates: [
        [100, 0],
        [104, 0],
        [104, 2],
      ],
    },
    { name: 'Street' },
  ),
];

const all = async (options: TilesVectorOptions, features: object[]) => {
  const made = await run(collection(features), options);
  return { ...made, features: await made.tile(0, 0, 0) };
};
const placeOf = (one: VectorTileFeature): number[] => {
  const [lon, lat] = one.toGeoJSON(0, 0, 0).geometry.type === 'Point' ? coordinatesOf(one) : [NaN, NaN];
  return [Math.round(lon! * 10) / 10, Math.round(lat! * 10) / 10];
};
const coordinatesOf = (one: VectorTileFeature) =>
  (one.toGeoJSON(0, 0, 0).geometry as { coordinates: number[] }).coordinates;

test('areas and lines have label points, inside and halfway along, if they have a name', async () => {
  const { features, result } = await all({ tiling: { maxZoom: 2, labels } }, [...squares, ...streets]);
  assert.deepEqual(Object.keys(features), ['places', 'places_labels']);
  assert.equal(features['places']!.length, 3);
  const points = features['places_labels']!;
  assert.deepEqual(
    points.map((one) => [one.properties['name'], one.properties['label_zoom'], one.properties['label_only']]),
    [
      ['Large', 0, true],
      ['Street', 0, true],
    ],
  );
  const [large, street] = points.map(placeOf);
  assert.ok(Math.abs(large![0]! - 5) < 0.2 && Math.abs(large![1]! - 5) < 0.2);
  assert.ok(Math.abs(street![0]! - 103) < 0.2 && Math.abs(street![1]!) < 0.2);
  const { properties } = result.datasource!;
  assert.deepEqual(properties['geometryTypes'], ['Polygon', 'LineString']);
  assert.equal(properties['featureCount'], 3);
  assert.deepEqual(properties['labels'], { attribute: 'name', size });
  assert.deepEqual(
    (properties['fields'] as { name: string }[]).map(({ name }) => name),
    ['name', 'population'],
  );
});

test('values of any type rank: numbers in text count, what is none comes last, and the lowest may be first', async () => {
  const at = (name: string, rank: unknown) => point(1, 1, { name, rank });
  const given = [at('none', 'high'), at('missing', null), at('three', '3'), at('two', 2), at('empty', '')];
  const first = async (order: 'highest' | 'lowest') => {
    const options = { tiling: { maxZoom: 3, labels: { ...labels, rankBy: [{ attribute: 'rank', order }] } } };
    const { features } = await all(options, given);
    const labelled = features['places']!.filter(({ properties }) => properties['label_zoom'] !== undefined);
    return labelled.map(({ properties }) => properties['name']);
  };
  assert.deepEqual(await first('highest'), ['three']);
  assert.deepEqual(await first('lowest'), ['two']);
});

test('an estimated highest zoom is raised until labels fit', async () => {
  const near = Array.from({ length: 40 }, (_, i) =>
    point(10 + (i % 8) * 0.004, 50 + Math.floor(i / 8) * 0.003, { name: `Tree ${i}` }),
  );
  const plain = await run(collection(near), {});
  const labelled = await run(collection(near), { tiling: { labels: { attribute: 'name' } } });
  const maxZoomOf = ({ result }: typeof plain) => result.datasource!.typeProperties['maxZoom'] as number;
  assert.ok(maxZoomOf(labelled) > maxZoomOf(plain), `${maxZoomOf(labelled)}, ${maxZoomOf(plain)}`);
});

test('labels near the antimeridian keep their distance from those on the other side, and copies theirs', async () => {
  const given = [
    point(179.99, 0, { name: 'East', population: 2 }),
    point(-179.99, 0, { name: 'West', population: 1 }),
  ];
  const { features } = await all({ tiling: { maxZoom: 4, labels } }, given);
  const labelled = features['places']!.filter(({ properties }) => properties['label_zoom'] !== undefined);
  assert.ok(labelled.length > 0 && labelled.every(({ properties }) => properties['name'] === 'East'));
});

test('an attribute of the data that is called like ours does not say where labels are', async () => {
  const { features } = await all({ tiling: { maxZoom: 1, labels } }, [
    point(1, 1, { other: 1, label_zoom: 0 }),
  ]);
  assert.deepEqual({ ...features['places']![0]!.properties }, { other: 1 });
});

test('more labels than the memory suffices for are a failure that says so', async () => {
  const many = Array.from({ length: 6000 }, (_, i) => point(i / 100, 1, { name: 'x' }));
  const options = { tiling: { maxZoom: 1, labels }, processing: { memoryMegabytes: 1 } };
  await assert.rejects(run(collection(many), options), {
    code: 'outOfMemory',
    message: /suffices for \d+ labels.*memoryMegabytes/,
  });
});
