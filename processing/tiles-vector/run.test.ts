import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import { openArchive, type Archive } from '@platen/geo/pmtiles/archive';
import { PbfReader } from 'pbf';
import { PMTiles } from 'pmtiles';
import { catalog, findJobSpec } from '../catalog.ts';
import type { RejectedFeature } from '../rejects.ts';
import { JobFailure, type JobInput, type JobResult } from '../job-type.ts';
import { runs } from '../runs.ts';
import { runTilesVector } from './run.ts';
import type { TilesVectorOptions } from './spec.ts';

const root = await mkdtemp(join(tmpdir(), 'platen-tiles-vector-'));
after(() => rm(root, { recursive: true }));
let jobs = 0;

interface Ran {
  readonly result: JobResult;
  readonly warnings: Map<string, { message: string; example: unknown }[]>;
  readonly phases: Set<string>;
  readonly path: string;
  readonly archive: Archive;
  /** Decoded features of a tile by layer. */
  tile(z: number, x: number, y: number): Promise<Record<string, VectorTileFeature[]>>;
}

interface Given {
  readonly name?: string;
  readonly signal?: AbortSignal;
  readonly onPhase?: (phase: string) => void;
  readonly input?: Partial<JobInput>;
}

async function run(
  content: string | Uint8Array,
  options: TilesVectorOptions = {},
  given: Given = {},
): Promise<Ran> {
  const folder = join(root, String(jobs++));
  const outputFolder = join(folder, 'output');
  const scratchFolder = join(folder, 'scratch');
  await mkdir(outputFolder, { recursive: true });
  await mkdir(scratchFolder);
  const name = given.name ?? 'places.geojson';
  const path = join(folder, name);
  await writeFile(path, content);
  const warnings: Ran['warnings'] = new Map();
  const phases = new Set<string>();
  const result = await runTilesVector(options, {
    inputs: [{ path, name, size: (await stat(path)).size, ...given.input }],
    outputFolder,
    scratchFolder,
    signal: given.signal ?? new AbortController().signal,
    progress: (phase, done, total) => {
      assert.ok(done <= total);
      phases.add(phase);
      given.onPhase?.(phase);
    },
    log: () => {},
    warn: (code, message, example) => {
      warnings.set(code, [...(warnings.get(code) ?? []), { message, example }]);
    },
    reject: (code, message, example) => {
      warnings.set(code, [...(warnings.get(code) ?? []), { message, example }]);
    },
  });
  assert.deepEqual(
    (await readdir(outputFolder)).toSorted(),
    ['tiles.pmtiles', 'tiles.pmtiles.thumbnail.png'],
    'nothing else is left behind',
  );
  assert.deepEqual(await readdir(scratchFolder), []);
  const archivePath = join(outputFolder, 'tiles.pmtiles');
  const bytes = await readFile(archivePath);
  const archive = await openArchive(async (offset, length) => bytes.subarray(offset, offset + length));
  return {
    result,
    warnings,
    phases,
    path: archivePath,
    archive,
    async tile(z, x, y) {
      const range = await archive.findTile(z, x, y);
      if (range === undefined) return {};
      const { layers } = new VectorTile(
        new PbfReader(gunzipSync(bytes.subarray(range.offset, range.offset + range.length))),
      );
      return Object.fromEntries(
        Object.entries(layers).map(([layer, value]) => [
          layer,
          Array.from({ length: value.length }, (_, i) => value.feature(i)),
        ]),
      );
    },
  };
}

const feature = (geometry: unknown, properties: object = {}, id?: unknown): object => ({
  type: 'Feature',
  id,
  geometry,
  properties,
});
const point = (lon: number, lat: number, properties?: object, id?: unknown) =>
  feature({ type: 'Point', coordinates: [lon, lat] }, properties, id);
const collection = (features: object[], more: object = {}): string =>
  JSON.stringify({ type: 'FeatureCollection', ...more, features });

const cities = [
  point(13.405, 52.52, { name: 'Berlin', inhabitants: 3_677_472, capital: true, founded: null }, 1),
  point(
    9.993,
    53.551,
    { name: 'Hamburg', inhabitants: 1_906_411, capital: false, river: { name: 'Elbe' } },
    2,
  ),
  point(11.576, 48.137, { name: 'München', inhabitants: 1_487_708.5, capital: false, depth: -12 }, 'munich'),
];

async function failure(
  content: string | Uint8Array,
  options: TilesVectorOptions = {},
  given: Given = {},
): Promise<JobFailure> {
  try {
    await run(content, options, given);
  } catch (error) {
    assert.ok(error instanceof JobFailure, String(error));
    assert.ok(error.message.includes(given.name ?? 'places.geojson'), error.message);
    return error;
  }
  throw new assert.AssertionError({ message: 'the job succeeded' });
}

test('a FeatureCollection becomes an archive that other readers read, with its layer, fields and bounds', async () => {
  const { result, path, phases, tile, warnings } = await run(collection(cities), { tiling: { maxZoom: 6 } });
  assert.deepEqual([...warnings.keys()], []);
  assert.ok(phases.has('read') && phases.has('cut') && phases.has('write'));
  const file = await open(path);
  const reference = new PMTiles({
    getKey: () => path,
    getBytes: async (offset, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
      return { data: buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + bytesRead) as ArrayBuffer };
    },
  });
  const header = await reference.getHeader();
  assert.deepEqual([header.minZoom, header.maxZoom], [0, 6]);
  assert.ok(Math.abs(header.minLon - 9.993) < 1e-6 && Math.abs(header.maxLat - 53.551) < 1e-6);
  const metadata = (await reference.getMetadata()) as Record<string, unknown>;
  assert.equal(metadata['name'], 'places');
  assert.deepEqual(metadata['vector_layers'], [
    {
      id: 'places',
      description: '',
      minzoom: 0,
      maxzoom: 6,
      fields: {
        name: 'String',
        inhabitants: 'Number',
        capital: 'Boolean',
        river: 'String',
        depth: 'Number',
        id: 'String',
      },
    },
  ]);
  const whole = await reference.getZxy(0, 0, 0);
  assert.equal(new VectorTile(new PbfReader(new Uint8Array(whole!.data))).layers['places']!.length, 3);
  await file.close();

  const [berlin] = (await tile(6, 34, 20))['places']!;
  assert.deepEqual({ ...berlin!.properties }, { name: 'Berlin', inhabitants: 3_677_472, capital: true });
  assert.equal(berlin!.id, 1);
  const all = (await tile(0, 0, 0))['places']!;
  assert.deepEqual(
    { ...all[1]!.properties },
    { name: 'Hamburg', inhabitants: 1_906_411, capital: false, river: '{"name":"Elbe"}' },
  );
  assert.deepEqual(
    { ...all[2]!.properties },
    { name: 'München', inhabitants: 1_487_708.5, capital: false, depth: -12, id: 'munich' },
  );
  assert.ok(all[2]!.id! > 2 ** 32, 'a hash of the text');
  const { datasource } = result;
  assert.ok(datasource);
  assert.deepEqual(
    [
      datasource.type,
      datasource.path,
      (datasource.properties['vectorLayers'] as { id: string }[]).map(({ id }) => id),
    ],
    ['vectortiles', 'tiles.pmtiles', ['places']],
  );
  assert.equal(datasource.properties['featureCount'], 3);
});

test('newline-delimited, sequence, gzip and byte order mark give the same tiles as the collection', async () => {
  const lines = cities.map((city) => JSON.stringify(city));
  const options = { tiling: { maxZoom: 8 }, modelOptions: { layerName: 'x' }, output: { name: 'x' } };
  const wanted = await readFile((await run(collection(cities), options)).path);
  for (const content of [
    lines.join('\n'),
    lines.map((text) => `\u001e${text}\n`).join(''),
    gzipSync(lines.join('\n')),
    `\ufeff${lines.join('\r\n')}\r\n`,
  ]) {
    assert.ok((await readFile((await run(content, options)).path)).equals(wanted));
  }
});

test('web mercator coordinates give the same tiles, whether the CRS comes before the features, after, or from outside', async () => {
  const half = 20_037_508.342789244;
  const mercator = cities.map((city) => {
    const { geometry, ...rest } = city as { geometry: { coordinates: [number, number] } };
    const [lon, lat] = geometry.coordinates;
    const y = (Math.log(Math.tan(((90 + lat) * Math.PI) / 360)) / Math.PI) * half;
    return { ...rest, geometry: { type: 'Point', coordinates: [(lon / 180) * half, y] } };
  });
  const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::3857' } };
  const options = { tiling: { maxZoom: 8 } };
  const wanted = await readFile((await run(collection(cities), options)).path);
  assert.deepEqual(await readFile((await run(collection(mercator, { crs }), options)).path), wanted);
  const late = JSON.stringify({ type: 'FeatureCollection', features: mercator, crs });
  const { path, result } = await run(late, options);
  assert.deepEqual(await readFile(path), wanted);
  assert.equal(result.datasource?.properties['featureCount'], 3);
  const forced = await run(collection(mercator), options, { input: { crs: 'EPSG:3857' } });
  assert.deepEqual(await readFile(forced.path), wanted);
});

test('input that cannot become tiles fails with a code, the file and the place', async () => {
  assert.equal((await failure('')).code, 'emptyInput');
  assert.equal((await failure(collection([]))).code, 'emptyInput');
  assert.equal((await failure(collection([feature(null)]))).code, 'nothingUsable');
  const broken = await failure(
    `{"type":"FeatureCollection","features":[${JSON.stringify(cities[0])},\n{"type":"Feature","geometry":{"type":"Point","coordinates":[1,}`,
  );
  assert.equal(broken.code, 'brokenJson');
  assert.match(broken.message, /line 2, byte \d+, feature 2/);
  const crs = { type: 'name', properties: { name: 'EPSG:999999' } };
  const foreign = await failure(collection(cities, { crs }));
  assert.equal(foreign.code, 'unknownCrs');
  assert.match(foreign.message, /999999/);
  const late = {
    features: cities,
    more: 'x'.repeat(5000),
    crs: { type: 'name', properties: { name: 'EPSG:25833' } },
  };
  const tooLate = await failure(JSON.stringify({ type: 'FeatureCollection', ...late }));
  assert.match(tooLate.message, /EPSG:25833.*enter the CRS at the input/);
  const metres = await failure(collection([point(391_000, 5_820_000), point(392_000, 5_821_000)]));
  assert.equal(metres.code, 'nothingUsable');
  assert.match(metres.message, /look like EPSG:25832 .*enter the CRS at the input/);
  const swapped = await failure(collection([point(35, 139.7), point(-33.9, 151.2), point(43, 141.3)]));
  assert.match(swapped.message, /latitude before longitude/);
  assert.equal(
    (await failure(collection([feature({ type: 'Point', coordinates: [[1, 2]] })]))).code,
    'nothingUsable',
  );
  assert.equal((await failure(gzipSync(collection(cities)).subarray(0, 60))).code, 'brokenGzip');
  assert.equal((await failure('{"type":"Banana"}')).code, 'notRecognised');
});

test('what is wrong in part is skipped, counted and named, and the rest becomes tiles', async () => {
  const lines = [
    point(1, 1, { size: 1 }),
    feature({
      type: 'Polygon',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    }),
    feature({ type: 'LineString', coordinates: [[1, 2]] }),
    point(1e9, 0),
    point(2, 2, { size: 'large' }),
    point(3, 3, { size: true }),
    point(4, 4),
    feature(null),
  ].map((line) => JSON.stringify(line));
  const options = { tiling: { maxZoom: 0, colour: 'red' }, wings: 2, '@type': 'x' } as TilesVectorOptions;
  const { result, warnings, tile } = await run(lines.join('\n'), options);
  assert.equal(result.datasource?.properties['featureCount'], 4);
  assert.equal((await tile(0, 0, 0))['places']!.length, 4);
  const places = (code: string) =>
    warnings.get(code)?.map(({ example }) => (example as RejectedFeature).place.line);
  assert.deepEqual(places('invalidGeometry'), [2, 3]);
  assert.deepEqual(places('invalidCoordinates'), [4]);
  assert.equal(warnings.get('mixedTypes')?.length, 1);
  assert.deepEqual(
    warnings.get('unknownOption')?.map(({ example }) => example),
    [{ option: 'tiling.colour' }, { option: 'wings' }],
  );
});

test('attributes are chosen, ids taken from an attribute, and the layer named', async () => {
  const { tile } = await run(collection([point(1, 1, { key: '77', keep: 1, drop: 2 })]), {
    tiling: { maxZoom: 0 },
    modelOptions: { layerName: 'chosen', exclude: ['drop'], idProperty: 'key' },
  });
  const [only] = (await tile(0, 0, 0))['chosen']!;
  assert.equal(only!.id, 77);
  assert.deepEqual({ ...only!.properties }, { key: '77', keep: 1 });
});

test('the members of a GeometryCollection become features of their own with the same attributes', async () => {
  const geometry = {
    type: 'GeometryCollection',
    geometries: [
      { type: 'Point', coordinates: [1, 1] },
      {
        type: 'GeometryCollection',
        geometries: [
          {
            type: 'LineString',
            coordinates: [
              [0, 0],
              [50, 50],
            ],
          },
        ],
      },
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [50, 0],
            [50, 50],
            [0, 0],
          ],
        ],
      },
    ],
  };
  const { tile } = await run(collection([feature(geometry, { a: 1 })]), { tiling: { maxZoom: 0 } });
  const features = (await tile(0, 0, 0))['places']!;
  assert.deepEqual(
    features.map(({ type, properties }) => [type, properties['a']]),
    [
      [1, 1],
      [2, 1],
      [3, 1],
    ],
  );
});

const xs = (features: VectorTileFeature[] | undefined): number[] =>
  (features ?? []).flatMap((each) => each.loadGeometry().flat()).map(({ x }) => x);

test('what goes on beyond 180° comes back in on the other side', async () => {
  const line = feature({
    type: 'LineString',
    coordinates: [
      [170, 10],
      [190, 10],
    ],
  });
  const { tile } = await run(collection([line]), { tiling: { maxZoom: 2, buffer: 0 } });
  assert.deepEqual(xs((await tile(2, 3, 1))['places']).at(-1), 4096);
  assert.deepEqual(xs((await tile(2, 0, 1))['places'])[0], 0);
  assert.deepEqual(await tile(2, 1, 1), {});
});

test('buffers are filled across the antimeridian', async () => {
  const cut = feature({
    type: 'MultiPolygon',
    coordinates: [
      [
        [
          [170, 0],
          [180, 0],
          [180, 10],
          [170, 10],
          [170, 0],
        ],
      ],
      [
        [
          [-180, 0],
          [-170, 0],
          [-170, 10],
          [-180, 10],
          [-180, 0],
        ],
      ],
    ],
  });
  const { tile } = await run(collection([cut]), { tiling: { maxZoom: 3, buffer: 64 } });
  assert.equal(Math.min(...xs((await tile(3, 0, 3))['places'])), -64);
  assert.equal(Math.max(...xs((await tile(3, 7, 3))['places'])), 4160);
});

test('an edge from 179° to -179° runs around the world as RFC 7946 reads it, with a warning, or the short way if told', async () => {
  const ring = feature({
    type: 'Polygon',
    coordinates: [
      [
        [179, 0],
        [-179, 0],
        [-179, 1],
        [179, 1],
        [179, 0],
      ],
    ],
  });
  const given = await run(collection([ring]), { tiling: { maxZoom: 2 } });
  assert.ok(((await given.tile(2, 1, 1))['places'] ?? []).length > 0);
  assert.equal(given.warnings.get('longEdges')?.length, 1);
  const short = await run(collection([ring]), {
    tiling: { maxZoom: 2 },
    processing: { antimeridian: 'shortest' },
  });
  assert.deepEqual(await short.tile(2, 1, 1), {});
  assert.ok((await short.tile(2, 0, 1))['places']);
  assert.ok((await short.tile(2, 3, 1))['places']);
  assert.equal(short.warnings.has('longEdges'), false);
});

test('a polygon down to the pole fills the map to its lower edge, and a point at the pole lies on the upper', async () => {
  const south = feature({
    type: 'Polygon',
    coordinates: [
      [
        [-180, -90],
        [180, -90],
        [180, -70],
        [-180, -70],
        [-180, -90],
      ],
    ],
  });
  const { tile, warnings } = await run(collection([south, point(0, 90)]), {
    tiling: { maxZoom: 3, buffer: 0 },
  });
  for (let x = 0; x < 8; x++) {
    const ring = (await tile(3, x, 7))['places']![0]!.loadGeometry()[0]!;
    assert.deepEqual(
      [
        Math.max(...ring.map((p) => p.y)),
        Math.min(...ring.map((p) => p.x)),
        Math.max(...ring.map((p) => p.x)),
      ],
      [4096, 0, 4096],
    );
  }
  assert.equal((await tile(3, 4, 0))['places']![0]!.loadGeometry()[0]![0]!.y, 0);
  assert.equal(warnings.get('beyondMercator')?.length, 1);
});

test('a tile beyond the limit is thinned out where it is densest, or kept, as wanted, and named', async () => {
  const many = Array.from({ length: 400 }, (_, i) =>
    point((i % 20) / 10, i / 1000, { text: `${i}-${Math.sin(i)}` }),
  );
  const limits = { tiling: { maxZoom: 0 }, output: { tileLimitKilobytes: 1 } };
  const thinned = await run(collection(many), limits);
  const left = (await thinned.tile(0, 0, 0))['places']!.length;
  assert.ok(left > 5 && left < 100, String(left));
  const { dropped } = thinned.warnings.get('tileThinned')![0]!.example as { dropped: number };
  assert.equal(dropped + left, 400);
  const { warnings, tile } = await run(collection(many), { ...limits, processing: { whenTooLarge: 'keep' } });
  assert.equal((await tile(0, 0, 0))['places']!.length, 400);
  assert.deepEqual((warnings.get('tileTooLarge')![0]!.example as { tile: string }).tile, '0/0/0');
});

test('data larger than the memory gives the very same archive as data that fits', async () => {
  const features = Array.from({ length: 27_000 }, (_, i) => {
    const lon = Math.sin(i) * 170;
    const lat = Math.cos(i * 1.7) * 80;
    const properties = { i, name: `number ${i % 100}` };
    if (i % 3 === 0) return point(lon, lat, properties, i);
    const path = Array.from({ length: 12 }, (__, k) => [
      lon + Math.sin(k * i) * (i % 50 === 0 ? 9 : 0.1),
      lat + Math.cos(k) * 0.1,
    ]);
    if (i % 3 === 1) return feature({ type: 'LineString', coordinates: path }, properties, i);
    return feature({ type: 'Polygon', coordinates: [[...path, path[0]]] }, properties, i);
  });
  const text = collection(features);
  const tiling = { maxZoom: 6 };
  const wanted = await readFile((await run(text, { tiling })).path);
  // Below what the schema permits, so that little data is too much.
  const spilled = await run(text, { tiling, processing: { memoryMegabytes: 24 } });
  assert.deepEqual([...spilled.warnings.keys()], []);
  assert.ok((await readFile(spilled.path)).equals(wanted));
});

test('a tile that no memory could hold is filled as far as it goes, and says what is missing', async () => {
  const crowd = Array.from({ length: 9000 }, (_, i) => point(1, 1, { i, text: `person ${i}` }));
  const processing = { memoryMegabytes: 1, whenTooLarge: 'keep' } as const;
  const options = { tiling: { minZoom: 1, maxZoom: 2 }, processing };
  const { warnings, tile } = await run(collection(crowd), options);
  const kept = (await tile(2, 2, 1))['places']!.length;
  const truncated = warnings
    .get('tileTruncated')!
    .map(({ example }) => example as { tile: string; refused: number });
  assert.deepEqual(truncated.map((each) => each.tile).toSorted(), ['1/1/0', '2/2/1']);
  assert.ok(kept > 0);
  assert.equal(truncated.find((each) => each.tile === '2/2/1')!.refused, 9000 - kept);
});

test('an abort ends the job with its reason, in any phase, and leaves no archive', async () => {
  const many = Array.from({ length: 20_000 }, (_, i) => point(Math.sin(i) * 170, Math.cos(i) * 80, { i }));
  const reason = new Error('no longer wanted');
  for (const phase of ['read', 'cut']) {
    const abort = new AbortController();
    const onPhase = (reached: string): void => {
      if (reached === phase) abort.abort(reason);
    };
    const running = run(collection(many), { tiling: { maxZoom: 12 } }, { signal: abort.signal, onPhase });
    const folder = join(root, String(jobs - 1), 'output');
    await assert.rejects(running, reason);
    assert.deepEqual(await readdir(folder), []);
  }
});

test('the catalogue finds the job type under any prefix, and its run', async () => {
  for (const name of ['platenTilesVector', 'xyTilesVector', 'a1TilesVector', 'TilesVector']) {
    assert.equal(findJobSpec(name)?.name, 'TilesVector', name);
  }
  for (const name of [
    '',
    'tilesvector',
    'PlatenTilesVector',
    '1TilesVector',
    'platen-TilesVector',
    'toString',
    'xToString',
  ]) {
    assert.equal(findJobSpec(name), undefined, name);
  }
  // what only carries something elsewhere the runner does by itself
  const ofProcesses = Object.values(catalog).filter(({ transfers }) => transfers !== true);
  assert.deepEqual(Object.keys(runs).toSorted(), ofProcesses.map(({ name }) => name).toSorted());
  assert.equal(await runs['TilesVector']!(), runTilesVector);
});

const samples = process.env['PLATEN_SAMPLE_DATA'] ?? join(import.meta.dirname, '../../../shared/data');
const andorra = join(samples, 'vector/andorra.geojsonl.gz');

test(
  'every feature of a real extract is in the tiles of the highest zoom',
  { skip: existsSync(andorra) ? false : `SKIPPED: no sample data at ${andorra}; set PLATEN_SAMPLE_DATA` },
  async () => {
    const lines = gunzipSync(await readFile(andorra))
      .toString()
      .trim()
      .split('\n');
    const text = lines.map((line, id) => JSON.stringify({ ...(JSON.parse(line) as object), id })).join('\n');
    const { archive, path, result } = await run(text, { tiling: { minZoom: 13, maxZoom: 14, buffer: 0 } });
    const bytes = await readFile(path);
    const found = new Set<number>();
    const [west, south, east, north] = result.datasource!.bbox!;
    const side = 2 ** 14;
    const row = (lat: number) =>
      Math.floor((0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / 2 / Math.PI) * side);
    for (let x = Math.floor((west / 360 + 0.5) * side); x <= Math.floor((east / 360 + 0.5) * side); x++) {
      for (let y = row(north); y <= row(south); y++) {
        const range = await archive.findTile(14, x, y);
        if (range === undefined) continue;
        const tile = new VectorTile(
          new PbfReader(gunzipSync(bytes.subarray(range.offset, range.offset + range.length))),
        );
        const layer = tile.layers['places']!;
        for (let i = 0; i < layer.length; i++) found.add(layer.feature(i).id!);
      }
    }
    assert.equal(found.size, lines.length);
  },
);
