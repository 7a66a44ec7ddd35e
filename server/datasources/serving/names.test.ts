import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DatasourceType } from '@platen/contract/datasource-types';
import { plainFeature, write as writeFlat } from '@platen/formats/flatgeobuf/testing';
import { packWithDraco } from '@platen/formats/mesh/draco/testing';
import { glbOfTriangles, tileOf } from '@platen/formats/tiles-3d/testing-tiles';
import { indexedZipOf } from '@platen/formats/zip/testing';
import { geocentricOf } from '@platen/geo/geodesy/geocentric';
import { newPlace } from '../../files/revisions/testing.ts';
import { startService } from '../../testing.ts';

const service = await startService();
const { admin } = service;
const place = await newPlace(service);

async function upload(
  key: string,
  bytes: Uint8Array,
  type: DatasourceType,
  urlSuffix?: string,
): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), key);
  await admin.postProjectDataBucketUpload({ params: place, body: form });
  const { _id } = await admin.postProjectDatasource({
    params: place,
    body: {
      name: key,
      type,
      sourceProperties: {
        type: 'internal',
        dataBucketId: place.dataBucketId,
        dataBucketKey: key,
        ...(urlSuffix !== undefined && { urlSuffix }),
      },
    },
  });
  return _id;
}

async function namesOf(id: string, attribute: string) {
  const url = `/data/${id}/names.json?attribute=${attribute}`;
  const { statusCode, body } = await service.app.inject({
    url,
    headers: { authorization: `Bearer ${service.adminToken}` },
  });
  return statusCode === 200 ? (JSON.parse(body) as object) : statusCode;
}

test('names of a FlatGeobuf are listed with the middle of their geometry', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-names-'));
  const path = join(folder, 'oaks.fgb');
  const line = {
    type: 'LineString',
    coordinates: [
      [10, 50],
      [12, 52],
    ],
  } as const;
  const point = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] }) as const;
  await writeFlat(
    [
      plainFeature(line as never, { name: 'Oak Street', height: 3 }),
      plainFeature(point(-70, -30) as never, { name: 'شارع الحمراء' }),
      plainFeature(point(0, 0) as never, {}),
    ],
    path,
  );
  const bytes = await readFile(path);
  await rm(folder, { recursive: true });
  const id = await upload('oaks.fgb', bytes, 'flatgeobuf');
  const { isCut, names } = (await namesOf(id, 'name')) as { isCut: boolean; names: string };
  assert.equal(isCut, false);
  assert.deepEqual(names.split('\n').toSorted(), ['Oak Street\t11\t51', 'شارع الحمراء\t-70\t-30']);
  assert.deepEqual(await namesOf(id, 'other'), { isCut: false, names: '' });
  const damaged = await upload('cut.fgb', bytes.subarray(0, bytes.length - 20), 'flatgeobuf');
  assert.equal(await namesOf(damaged, 'name'), 422);
});

/** Two triangles, each a feature, one kilometre apart from west to east in the axes of the tile. */
const houses = (): Uint8Array =>
  glbOfTriangles(undefined, [0, 0, 0, 10, 0, 0, 10, 0, 10, 1000, 0, 0, 1010, 0, 0, 1010, 0, 10]);

test('names of a tileset in an archive are listed where their geometry is, those of the finest tiles', async () => {
  const [x, y, z] = geocentricOf(0, 0, 100);
  // east is y of the globe at longitude 0, north is z
  const transform = [0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, x, y, z, 1];
  const boundingVolume = { sphere: [0, 0, 0, 2000] };
  const tileset = {
    asset: { version: '1.0' },
    geometricError: 100,
    root: {
      transform,
      boundingVolume,
      geometricError: 50,
      refine: 'REPLACE',
      content: { uri: 'coarse.b3dm' },
      children: [
        { boundingVolume, geometricError: 0, content: { uri: 'fine/houses.b3dm' } },
        { boundingVolume, geometricError: 0, content: { uri: 'gone.b3dm' } },
      ],
    },
  };
  const tile = (name: string[], rest = houses()) =>
    tileOf('b3dm', { features: { BATCH_LENGTH: 2 }, batch: { name }, rest });
  const archive = (members: Readonly<Record<string, string | Buffer>>) =>
    indexedZipOf(Object.entries(members).map(([name, content]) => ({ name, content })));
  const files = {
    'tileset.json': JSON.stringify(tileset),
    'coarse.b3dm': tile(['Coarse', 'Coarser']),
    'fine/houses.b3dm': tile(['Town hall', 'Mill']),
  };
  const id = await upload('city.3tz', archive(files), 'tileset');
  const packed = tile(['Town hall', 'Mill'], await packWithDraco(houses(), { method: 'sequential' }));
  const packedId = await upload('packed.3tz', archive({ ...files, 'fine/houses.b3dm': packed }), 'tileset');
  const inside = Object.fromEntries(
    Object.entries(files).map(([path, content]) => [`2024/${path}`, content]),
  );
  inside['2024/city.json'] = inside['2024/tileset.json']!;
  delete inside['2024/tileset.json'];
  const named = await upload('cities.3tz', archive(inside), 'tileset', '/2024/city.json?year=2024');
  assert.deepEqual(await namesOf(named, 'name'), await namesOf(id, 'name'));
  assert.deepEqual(await namesOf(packedId, 'name'), await namesOf(id, 'name'), 'packed by Draco');
  assert.deepEqual(await namesOf(id, 'name'), {
    isCut: true, // a tile is missing
    names: 'Town hall\t0\t0\nMill\t0.009\t0',
  });
  assert.deepEqual(await namesOf(id, 'height'), { isCut: true, names: '' });
});
