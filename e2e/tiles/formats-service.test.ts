import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { VectorTile } from '@mapbox/vector-tile';
import type { Job } from '@platen/contract/jobs';
import { geoPackage, named, shapefile, utm32, type Files } from '@platen/processing/features/testing-uploads';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { pixelsOf } from '@platen/processing/tile-style/testing';
import { geojson as flatGeobuf } from 'flatgeobuf';
import { PbfReader } from 'pbf';
import type { RunningService } from '../processes.ts';
import { sharedService } from '../testing-shared.ts';

/** Munich, in longitude and latitude and in EPSG:25832 as PROJ 9.5.1 has it. */
const munich = [11.575, 48.137] as const;
const munichUtm32 = [691_567.3264, 5_334_734.3304] as const;
const maxZoom = 6;
const jobTimeoutMs = 60_000;

let service: RunningService;
let project: { readonly projectId: string; readonly dataBucketId: string };

before(async () => {
  service = await sharedService();
  const body = { name: 'Formats', description: '', bbox: [5, 45, 15, 55] };
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await service.client.postProject({ body });
  project = { projectId, dataBucketId };
});

async function upload(files: Files): Promise<void> {
  const form = new FormData();
  for (const [name, content] of Object.entries(files))
    form.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), name);
  await service.client.postProjectDataBucketUpload({ params: project, body: form });
}

interface TaskRun {
  readonly file: string;
  readonly jobType?: string;
  readonly options?: object;
}

/** Runs one task to its end. */
async function run({ file, jobType = 'platenTilesVector', options = { tiling: { maxZoom } } }: TaskRun) {
  const { client } = service;
  const input = { type: 'internal', dataBucketId: project.dataBucketId, dataBucketKey: file };
  const task = await client.postProjectTask({
    params: project,
    body: {
      name: file,
      jobType,
      parameters: { datasource: { command: 'create', name: file }, options: { input, ...options } },
    },
  });
  for (let waitedMs = 0; waitedMs < jobTimeoutMs; waitedMs += 100) {
    const { items } = await client.getProjectJobs({ params: project, query: { taskId: [task._id] } });
    const [job] = items;
    if (job?.state === 'succeeded') return { job, id: datasourceOf(job) };
    if (job && job.state !== 'queued' && job.state !== 'running')
      throw new Error(`The job of ${file} ${job.state}: ${job.errorCode} ${job.errorMessage}`);
    await sleep(100);
  }
  throw new Error(`The job of ${file} took more than ${jobTimeoutMs} ms.`);
}

function datasourceOf({ outputs: { datasourceId } }: Job): string {
  assert.ok(datasourceId, 'the job has made a datasource');
  return datasourceId;
}

async function get(id: string, path: string): Promise<Buffer> {
  const url = `${service.url}/data/${id}/${path}`;
  const reply = await fetch(url, { headers: { authorization: `Bearer ${service.token}` } });
  assert.equal(reply.status, 200, url);
  return Buffer.from(await reply.arrayBuffer());
}

const getJson = async (id: string, path: string) =>
  JSON.parse((await get(id, path)).toString()) as Record<string, unknown>;

interface Point {
  readonly layer: string;
  readonly lon: number;
  readonly lat: number;
  readonly properties: Record<string, unknown>;
}

/** The points in the tile of the highest zoom that has this place. */
async function pointsAt(id: string, [lon, lat]: readonly [number, number]): Promise<Point[]> {
  const side = 2 ** maxZoom;
  const x = Math.floor(((lon + 180) / 360) * side);
  const sine = Math.sin((lat * Math.PI) / 180);
  const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * side);
  const { layers } = new VectorTile(new PbfReader(await get(id, `${maxZoom}/${x}/${y}.pbf`)));
  return Object.entries(layers).flatMap(([layer, all]) =>
    Array.from({ length: all.length }, (_, i) => {
      const feature = all.feature(i);
      const { geometry } = feature.toGeoJSON(x, y, maxZoom);
      assert.ok(geometry.type === 'Point');
      const [featureLon, featureLat] = geometry.coordinates as [number, number];
      return { layer, lon: featureLon, lat: featureLat, properties: { ...feature.properties } };
    }),
  );
}

/** Within a tile unit of the highest zoom. */
function assertAt({ lon, lat }: Point, [wantedLon, wantedLat]: readonly [number, number]): void {
  const unit = 360 / 2 ** maxZoom / 4096;
  assert.ok(Math.abs(lon - wantedLon) <= unit && Math.abs(lat - wantedLat) <= unit, `${lon},${lat}`);
}

/** Asserts the descriptions that every tileset serves. */
async function assertDescribed(id: string, layers: readonly string[]): Promise<void> {
  const tileJson = await getJson(id, 'tiles.json');
  const names = (tileJson['vector_layers'] as { id: string }[]).map((layer) => layer.id);
  assert.deepEqual(names, layers);
  assert.deepEqual([tileJson['minzoom'], tileJson['maxzoom']], [0, maxZoom]);
  const style = await getJson(id, 'style.json');
  const sources = Object.values(style['sources'] as Record<string, { url?: string }>);
  assert.ok(sources.some(({ url }) => url === `${service.url}/data/${id}/tiles.json`));
  const drawn = new Set(
    (style['layers'] as { 'source-layer'?: string }[]).map((layer) => layer['source-layer']),
  );
  for (const layer of layers) assert.ok(drawn.has(layer), `the style draws ${layer}`);
  await assertPicture(id);
}

async function assertPicture(id: string): Promise<void> {
  const pixel = pixelsOf(await get(id, 'thumbnail.png'));
  const colours = new Set(
    Array.from({ length: 600 * 400 }, (_, i) => pixel(i % 600, Math.floor(i / 600)).join()),
  );
  assert.ok(colours.size > 1, 'the thumbnail shows something');
}

/** All phases are reported, even for the shortest job. */
function assertPhases({ stages, progress }: Job, phases: readonly string[]): void {
  const seen = stages.map(({ name }) => name);
  assert.deepEqual(seen, ['stage', ...phases, 'upload']);
  assert.deepEqual([progress!.phase, progress!.done], ['upload', progress!.total]);
}

const tilingPhases = ['read', 'sort', 'cut', 'write'];

const streets = zipOfFiles(
  shapefile('Straße', munichUtm32, { prj: utm32, cpg: '1252', dbf: named(Buffer.from('Größe', 'latin1')) }),
);

test('a zipped shapefile in UTM with umlauts in windows-1252 is uploaded and served as tiles', async () => {
  await upload({ 'Straße.zip': streets });
  const { job, id } = await run({ file: 'Straße.zip' });
  assert.deepEqual(job.warnings, []);
  assertPhases(job, tilingPhases);
  const [point, ...others] = await pointsAt(id, munich);
  assert.deepEqual([others, point!.properties], [[], { name: 'Größe' }]);
  assertAt(point!, munich);
  await assertDescribed(id, [point!.layer]);
});

test('both layers of a GeoPackage become layers of the tiles', async () => {
  const content = await geoPackage(['roads', munich], ['Plätze', munichUtm32, 25832]);
  await upload({ 'town.gpkg': content });
  const { job, id } = await run({ file: 'town.gpkg' });
  assert.deepEqual(job.warnings, []);
  const points = await pointsAt(id, munich);
  const names = points.map(({ layer, properties }) => [layer, properties['name']]);
  assert.deepEqual(names, [
    ['roads', 'roads'],
    ['Plätze', 'Plätze'],
  ]);
  for (const point of points) assertAt(point, munich);
  await assertDescribed(id, ['roads', 'Plätze']);
});

test('a table with decimal commas becomes tiles, and its errors become warnings of the job', async () => {
  const rows = ['München;11,575;48,137;519,5', 'Nirgends;unbekannt;48,2;0', 'Zürich;8,54;47,37;408'];
  await upload({ 'places.csv': `name;lon;lat;height\r\n${rows.join('\r\n')}\r\n` });
  const { job, id } = await run({ file: 'places.csv' });
  const [warning, ...others] = job.warnings;
  assert.deepEqual([warning?.code, warning?.count, others], ['invalidGeometry', 1, []]);
  assert.equal(warning!.examples[0]!['line'], 3);
  const points = await pointsAt(id, munich);
  const munichOnly = points.find(({ properties }) => properties['name'] === 'München')!;
  assert.equal(munichOnly.properties['height'], 519.5);
  assertAt(munichOnly, munich);
  await assertDescribed(id, ['places']);
});

test('a folder of the bucket is read as one input', async () => {
  await upload({
    ...shapefile('folder/inner/roads', munichUtm32, { prj: utm32 }),
    'folder/places.csv.gz': gzipSync(`lon,lat,name\n${munich.join()},place\n`),
    'folder/readme.txt': 'Read this first.\n',
  });
  const { job, id } = await run({ file: 'folder/' });
  assert.deepEqual(job.warnings, []);
  const points = await pointsAt(id, munich);
  assert.deepEqual(points.map(({ layer }) => layer).toSorted(), ['places', 'roads']);
  for (const point of points) assertAt(point, munich);
});

test('a shapefile is converted to FlatGeobuf, which other readers read', async () => {
  await upload({ 'convert.zip': streets });
  const { job, id } = await run({ file: 'convert.zip', jobType: 'platenConvertVector', options: {} });
  assert.deepEqual(job.warnings, []);
  assertPhases(job, ['read', 'write']);
  const features: { geometry: { coordinates: number[] }; properties: object }[] = [];
  for await (const feature of flatGeobuf.deserialize(new Uint8Array(await get(id, ''))))
    features.push(feature as never);
  assert.equal(features.length, 1);
  const { geometry, properties } = features[0]!;
  assert.deepEqual({ ...properties }, { name: 'Größe' });
  const [lon, lat] = geometry.coordinates as [number, number];
  assert.ok(Math.abs(lon - munich[0]) < 1e-6 && Math.abs(lat - munich[1]) < 1e-6, `${lon},${lat}`);
  await assertPicture(id);
});
