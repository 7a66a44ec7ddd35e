import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import type { DataLink } from '@platen/contract/open-in';
import { registerFile, type BucketPath } from '../serving/testing.ts';
import { startService } from '../../testing.ts';
import { imageArchive, imageFolder, newPlace, north, publish, south, upload } from './testing.ts';
import { afterFile } from '../../../checks/clean-up.ts';

// The addresses that we give, with GDAL as it is in Debian as the client.

const run = promisify(execFile);
const missing = missingTools();
const skip = missing ? `SKIPPED: no ${missing} here (apt-get install gdal-bin)` : false;
if (skip && process.env['CI'] === 'true') throw new Error(skip);

function missingTools(): string | undefined {
  return ['gdalinfo', 'ogrinfo', 'ogr2ogr', 'gdal_translate', 'gdal_create'].find((tool) => {
    try {
      execFileSync(tool, ['--version'], { stdio: 'ignore' });
      return false;
    } catch {
      return true;
    }
  });
}

const areas = {
  type: 'FeatureCollection',
  features: [
    area('one', [13, 52, 14, 53]),
    area('two', [10, 50, 11, 51]),
    area('three', [-60, -30, -59, -29]),
  ],
};

function area(name: string, [west, south, east, north]: readonly [number, number, number, number]) {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: 'Feature', properties: { name }, geometry: { type: 'Polygon', coordinates: [ring] } };
}

const service = startService();
let folder: string;
let params: BucketPath;
let origin: string;
const ids: Record<string, string> = {};

before(async () => {
  if (skip) return;
  folder = await mkdtemp(join(tmpdir(), 'platen-gdal-'));
  process.env['GDAL_DEFAULT_WMS_CACHE_PATH'] = join(folder, 'cache'); // else where it is called
  const at = (name: string) => join(folder, name);
  await writeFile(at('areas.geojson'), JSON.stringify(areas));
  await run('ogr2ogr', ['-f', 'FlatGeobuf', at('areas.fgb'), at('areas.geojson')]);
  const zooms = ['-dsco', 'MINZOOM=0', '-dsco', 'MAXZOOM=4'];
  await run('ogr2ogr', ['-f', 'MVT', at('mvt'), at('areas.geojson'), ...zooms]);
  const corners = ['-a_srs', 'EPSG:3857', '-a_ullr', '1400000', '6900000', '1500000', '6800000'];
  const bands = ['-bands', '3', '-burn', '200', '-burn', '100', '-burn', '50'];
  await run('gdal_create', ['-of', 'GTiff', '-outsize', '300', '300', ...bands, ...corners, at('plain.tif')]);
  const cog = ['COMPRESS=DEFLATE', 'ADD_ALPHA=YES', 'TILING_SCHEME=GoogleMapsCompatible'];
  await run('gdal_translate', [
    '-of',
    'COG',
    ...cog.flatMap((option) => ['-co', option]),
    at('plain.tif'),
    at('cog.tif'),
  ]);
  const running = await service;
  params = await newPlace(running);
  const files: Record<string, Uint8Array> = { ...imageFolder('tms', true), ...imageFolder('xyz', false) };
  for (const name of ['areas.geojson', 'areas.fgb', 'cog.tif']) files[name] = await readFile(at(name));
  for (const entry of await readdir(at('mvt'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files[`mvt/${path.slice(at('mvt').length + 1)}`] = await readFile(path);
  }
  files['images.pmtiles'] = imageArchive();
  await upload(running, params, files);
  const sources = [
    ['geojson', 'areas.geojson'],
    ['flatgeobuf', 'areas.fgb'],
    ['cog', 'cog.tif'],
    ['vectortiles', 'mvt/'],
    ['tms', 'tms/'],
    ['tms', 'images.pmtiles'],
  ] as const;
  for (const [type, key] of sources) ids[key] = await registerFile(running, params, type, key);
  const { admin } = running;
  const wmts = await admin.postProjectDatasource({
    params,
    body: {
      name: 'Images & more',
      type: 'wmts',
      bbox: [-180, -85, 180, 85],
      typeProperties: { minLevel: 1, maxLevel: 1 },
      sourceProperties: { type: 'internal', dataBucketId: params.dataBucketId, dataBucketKey: 'xyz/' },
    },
  });
  ids['xyz/'] = wmts._id;
  for (const key of ['tms/', 'mvt/']) {
    const typeProperties = key === 'tms/' ? { minLevel: 1, maxLevel: 1 } : { minZoom: 0, maxZoom: 4 };
    const datasourceId = ids[key]!;
    await admin.putProjectDatasource({ params: { ...params, datasourceId }, body: { typeProperties } });
  }
  await publish(running, params, Object.values(ids));
  await running.app.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(running.app.server.address() as AddressInfo).port}`;
});

afterFile(async () => {
  if (folder) await rm(folder, { recursive: true, force: true });
});

async function linkOf(key: string, kind: DataLink['kind']): Promise<DataLink> {
  const { adminToken } = await service;
  const address = `${origin}/api/v1/project/${params.projectId}/datasource/${ids[key]!}/links`;
  const response = await fetch(address, { headers: { authorization: `Bearer ${adminToken}` } });
  const { items } = (await response.json()) as { items: DataLink[] };
  const link = items.find((item) => item.kind === kind);
  assert.ok(link, `${key} has no ${kind}, only ${items.map((item) => item.kind).join(', ')}`);
  return link;
}

/** As somebody who pastes the command into a shell. */
async function shell(command: string): Promise<string> {
  const env = { ...process.env, GDAL_DISABLE_READDIR_ON_OPEN: 'EMPTY_DIR' };
  return (await run('/bin/sh', ['-c', command], { env, cwd: folder, timeout: 60_000 })).stdout;
}

for (const key of ['areas.geojson', 'areas.fgb'])
  test(`ogrinfo reads ${key} by its address`, { skip }, async () => {
    const { command } = await linkOf(key, 'gdal');
    const out = await shell(command!);
    assert.match(out, /Feature Count: 3/);
    assert.match(out, /name: String/);
    const inArea = await shell(`${command!.replace('-so', '')} -spat 12 51 15 54`);
    assert.deepEqual(
      [...inArea.matchAll(/name \(String\) = (\w+)/g)].map(([, name]) => name),
      ['one'],
    );
  });

test('gdalinfo reads a COG by its address', { skip }, async () => {
  const out = await shell((await linkOf('cog.tif', 'gdal')).command!);
  assert.match(out, /Pseudo-Mercator/);
  assert.match(out, /LAYOUT=COG/);
  assert.match(out, /Band 4 .*ColorInterp=Alpha/);
});

test(
  'ogrinfo reads vector tiles by the command that we give, with the names of the TileJSON',
  { skip },
  async () => {
    const out = await shell((await linkOf('mvt/', 'gdal')).command!);
    assert.match(out, /Layer name: areas/);
    assert.match(out, /Feature Count: 3/);
    assert.match(out, /name: String/);
  },
);

for (const key of ['tms/', 'xyz/', 'images.pmtiles'])
  test(`gdalinfo reads the images of ${key} by our WMTS, each where it belongs`, { skip }, async () => {
    const { command, url } = await linkOf(key, 'gdal');
    const out = await shell(command!);
    assert.match(out, /Driver: WMTS/);
    assert.match(out, /Size is 512, 51[12]/);
    assert.match(out, /Pseudo-Mercator/);
    const tif = join(folder, 'out.tif');
    await run('gdal_translate', ['-q', '-of', 'GTiff', `WMTS:${url}`, tif]);
    for (const [row, colour] of [
      [100, north],
      [400, south],
    ] as const) {
      const { stdout } = await run('gdallocationinfo', ['-valonly', tif, '100', String(row)]);
      assert.deepEqual(stdout.trim().split(/\s+/).slice(0, 3).map(Number), [...colour], `row ${row}`);
    }
  });

test('GDAL reads the tiles of an XYZ template, too', { skip }, async () => {
  const { url } = await linkOf('images.pmtiles', 'xyz');
  const template = url.replace('{z}', '${z}').replace('{x}', '${x}').replace('{y}', '${y}');
  const xml = `<GDAL_WMS><Service name="TMS"><ServerUrl>${template}</ServerUrl></Service><DataWindow><UpperLeftX>-20037508.34</UpperLeftX><UpperLeftY>20037508.34</UpperLeftY><LowerRightX>20037508.34</LowerRightX><LowerRightY>-20037508.34</LowerRightY><TileLevel>1</TileLevel><TileCountX>1</TileCountX><TileCountY>1</TileCountY><YOrigin>top</YOrigin></DataWindow><Projection>EPSG:3857</Projection><BlockSizeX>256</BlockSizeX><BlockSizeY>256</BlockSizeY><BandsCount>4</BandsCount></GDAL_WMS>`;
  const file = join(folder, 'xyz.xml');
  await writeFile(file, xml);
  const { stdout } = await run('gdallocationinfo', ['-valonly', file, '100', '400']);
  assert.deepEqual(stdout.trim().split(/\s+/).slice(0, 3).map(Number), [...south]);
});
