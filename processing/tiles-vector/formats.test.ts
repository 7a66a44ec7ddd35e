import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { VectorTileFeature } from '@mapbox/vector-tile';
import type { TilesVectorOptions } from './spec.ts';
import { everyFormat, reference, type FileOfFormat, type Kind } from './testing-formats.ts';
import { makeTiles, openTiles, type Tiles } from './testing-tiles.ts';

const options: TilesVectorOptions = {
  tiling: { minZoom: 2, maxZoom: 4 },
  modelOptions: { layerName: 'all' },
  processing: { workers: 1, memoryMegabytes: 256 },
};
const mvtTypes: readonly (Kind | undefined)[] = [undefined, 'Point', 'LineString', 'Polygon'];

interface Seen {
  readonly type: Kind | undefined;
  /** All rings one after the other, each from its first corner in order. */
  readonly positions: readonly (readonly [number, number])[];
  readonly properties: Readonly<Record<string, unknown>>;
}

/** What a tile shows, by the names of features. */
function seenIn(features: readonly VectorTileFeature[]): Map<string, Seen> {
  const seen = new Map<string, Seen>();
  for (const feature of features) {
    const { id: _id, fid: _fid, ...properties } = feature.properties;
    const rings = feature.loadGeometry().map((ring) => ring.map(({ x, y }) => [x, y] as const));
    const type = mvtTypes[feature.type];
    const positions = (type === 'Polygon' ? rings.map(fromFirst) : rings).flat();
    const name = String(properties['name']);
    assert.ok(!seen.has(name), `${name} is there twice`);
    seen.set(name, { type, positions, properties });
  }
  return seen;
}

/** A ring has no start: formats choose another. */
function fromFirst(ring: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const open = ring.slice(0, -1);
  const firstIndex = open.reduce((best, [x, y], i) => {
    const [bestX, bestY] = open[best]!;
    return x < bestX || (x === bestX && y < bestY) ? i : best;
  }, 0);
  return [...open.slice(firstIndex), ...open.slice(0, firstIndex)];
}

function assertSame(place: string, seen: Map<string, Seen>, wanted: Map<string, Seen>): void {
  assert.deepEqual([...seen.keys()].toSorted(), [...wanted.keys()].toSorted(), place);
  for (const [name, { type, positions, properties }] of seen) {
    const other = wanted.get(name)!;
    const where = `${name} in ${place}`;
    assert.equal(type, other.type, where);
    assert.equal(positions.length, other.positions.length, where);
    for (const [i, [x, y]] of positions.entries()) {
      const [otherX, otherY] = other.positions[i]!;
      assert.ok(Math.abs(x - otherX) <= 1 && Math.abs(y - otherY) <= 1, `${where}: ${x},${y}`);
    }
    assert.deepEqual({ ...properties }, { ...other.properties }, where);
  }
}

/** What of the reference a format can hold. */
function expectedOf(wanted: Map<string, Seen>, { kinds, attributes }: FileOfFormat): Map<string, Seen> {
  const expected = new Map<string, Seen>();
  for (const [name, seen] of wanted) {
    if (kinds !== undefined && !kinds.includes(seen.type!)) continue;
    const kept = Object.entries(seen.properties).filter(
      ([key]) => attributes === undefined || (attributes as readonly string[]).includes(key),
    );
    expected.set(name, { ...seen, properties: Object.fromEntries(kept) });
  }
  return expected;
}

let wanted: Tiles;
before(async () => {
  const made = await makeTiles({ [reference.name]: reference.content }, options);
  assert.deepEqual(made.warnings, []);
  wanted = await openTiles(made);
});

async function assertTiles(file: FileOfFormat, content: Uint8Array | string, name: string): Promise<void> {
  const made = await makeTiles({ [name]: content }, options);
  assert.deepEqual(made.warnings, [], 'no warnings');
  const tiles = await openTiles(made);
  let features = 0;
  for (const place of wanted.packed.keys()) {
    const expected = expectedOf(seenIn(wanted.read(place)['all']!), file);
    features += expected.size;
    assertSame(place, seenIn(tiles.read(place)['all'] ?? []), expected);
  }
  assert.ok(features >= 200, `${features} features were compared`);
  for (const place of tiles.packed.keys()) assert.ok(wanted.packed.has(place), place);
}

for (const file of await everyFormat()) {
  test(`${file.name} gives the tiles that GeoJSON gives`, () => assertTiles(file, file.content, file.name));
}

test('gzip around a text, a database and a zip file changes nothing', async () => {
  for (const file of await everyFormat()) {
    if (!/geojsonl$|gpkg|zip/.test(file.name)) continue;
    await assertTiles(file, gzipSync(file.content), `${file.name}.gz`);
  }
});

test('two threads make the bytes that one makes', async () => {
  const files = { 'all.geojson': reference.content, 'b.geojson': reference.content };
  const made = async (workers: number) => {
    const processing = { workers, memoryMegabytes: 256 };
    return (await makeTiles(files, { ...options, processing })).files.get('tiles.pmtiles')!;
  };
  assert.ok((await made(1)).equals(await made(2)));
});

test('MBTiles and a folder hold the tiles of the archive', async () => {
  const as = (format: string) =>
    makeTiles({ [reference.name]: reference.content }, { ...options, output: { format } });
  const { files: inFolder, result } = await as('folder');
  assert.equal(result.datasource!.path, 'tiles');
  const expected = new Map([...wanted.packed].map(([place, packed]) => [`tiles/${place}.pbf`, packed]));
  const tiles = new Map([...inFolder].filter(([path]) => path.endsWith('.pbf')));
  assert.deepEqual([...tiles.keys()].toSorted(), [...expected.keys()].toSorted());
  for (const [path, packed] of tiles) assert.ok(packed.equals(expected.get(path)!), path);

  const { files } = await as('mbtiles');
  const folder = await mkdtemp(join(tmpdir(), 'platen-mbtiles-'));
  try {
    await writeFile(join(folder, 'a.mbtiles'), files.get('tiles.mbtiles')!);
    const database = new DatabaseSync(join(folder, 'a.mbtiles'), { readOnly: true });
    const rows = database.prepare('select * from tiles').all();
    assert.equal(rows.length, wanted.packed.size);
    for (const { zoom_level: z, tile_column: x, tile_row: row, tile_data: data } of rows) {
      const place = [z, x, 2 ** Number(z) - 1 - Number(row)].join('/'); // rows count from the south
      assert.ok(wanted.packed.get(place)?.equals(data as Uint8Array), place);
    }
    database.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('layers are made by filters and expressions, each with its own zooms', async () => {
  const layers = [
    { name: 'open', filter: ['==', ['get', 'open'], true], include: ['name'], maxZoom: 3 },
    {
      name: 'areas',
      geometryTypes: ['Polygon'],
      minZoom: 3,
      attributes: { double: ['*', 2, ['get', 'height']], label: ['upcase', ['get', 'name']] },
      rename: { count: 'number' },
      types: { height: 'integer' },
      exclude: ['open'],
      labelPoints: { layer: 'labels' },
    },
    { name: 'late', geometryTypes: ['Point'], zoomBy: ['case', ['<', ['get', 'count'], 0], 2, 4] },
  ];
  const made = await makeTiles(
    { 'all.geojson': reference.content },
    { ...options, modelOptions: { layers } },
  );
  const { vectorLayers, read, packed } = await openTiles(made);
  const zooms = vectorLayers.map(({ id, minzoom, maxzoom }) => `${id} ${minzoom}-${maxzoom}`);
  assert.deepEqual(zooms.toSorted(), ['areas 3-4', 'labels 3-4', 'late 2-4', 'open 2-3']);
  const at = (z: number) =>
    [...packed.keys()].filter((place) => place.startsWith(`${z}/`)).map((place) => read(place));
  const namesAt = (z: number, layer: string) =>
    new Set(at(z).flatMap((tile) => (tile[layer] ?? []).map(({ properties }) => properties['name'])));
  assert.deepEqual(
    [2, 3, 4].map((z) => namesAt(z, 'open').size),
    [105, 105, 0],
  );
  assert.deepEqual(
    [2, 3, 4].map((z) => namesAt(z, 'areas').size),
    [0, 70, 70],
  );
  assert.deepEqual(namesAt(4, 'labels'), namesAt(4, 'areas'));
  assert.deepEqual(
    [2, 3, 4].map((z) => namesAt(z, 'late').size),
    [15, 15, 70],
  );
  const [open] = at(3).flatMap((tile) => tile['open'] ?? []);
  assert.deepEqual(Object.keys(open!.properties), ['name']);
  for (const { type, properties } of at(4).flatMap((tile) => tile['labels'] ?? [])) {
    const { name, number, height, double, label, ...others } = properties;
    assert.deepEqual([others, type], [{}, 1]);
    const i = Number(/\d+/.exec(String(name))![0]);
    assert.deepEqual(
      [number, height, double, label],
      [i * 7 - 300, i, i * 2 + 0.5, String(name).toUpperCase()],
    );
  }
});

test('clusters count their points and add up the requested attributes, and every point is in one cluster', async () => {
  const aggregates = { sum: ['sum', 'count'], highest: ['max', 'height'] } as const;
  const made = await makeTiles(
    { 'all.geojson': reference.content },
    {
      ...options,
      tiling: { minZoom: 0, maxZoom: 3 },
      modelOptions: { layers: [{ name: 'points', geometryTypes: ['Point'] }] },
      processing: {
        ...options.processing,
        cluster: { distance: 60, aggregates: aggregates as never, maxZoom: 1 },
      },
    },
  );
  const { read, packed } = await openTiles(made);
  const whole = read('0/0/0')['points']!.map(({ properties }) => properties);
  const clusters = whole.filter((properties) => 'point_count' in properties);
  assert.ok(clusters.length > 3 && whole.length < 70);
  const of = (key: string, alone: string) =>
    whole.map((properties) => Number('point_count' in properties ? properties[key] : properties[alone]));
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  const numbers = Array.from({ length: 70 }, (_, i) => i * 3);
  assert.equal(sum(whole.map(({ point_count: count = 1 }) => Number(count))), 70);
  assert.equal(sum(of('sum', 'count')), sum(numbers.map((i) => i * 7 - 300)));
  assert.equal(Math.max(...of('highest', 'height')), 207.25);
  for (const place of packed.keys()) {
    if (!place.startsWith('3/')) continue;
    for (const { properties } of read(place)['points'] ?? []) assert.ok(!('point_count' in properties));
  }
});
