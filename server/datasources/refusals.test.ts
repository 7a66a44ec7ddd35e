import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { DatasourceType } from '@platen/contract/datasource-types';
import type { NewDatasource } from '@platen/contract/datasources';
import { startService } from '../testing.ts';
import { external, internal, uploadSamples, world } from './testing.ts';

const service = startService();
const samples = service.then(uploadSamples);

async function create(body: NewDatasource) {
  const { admin } = await service;
  return admin.postProjectDatasource({ params: await samples, body });
}

test('data of another type, or that the viewer cannot show, is refused with a reason', async () => {
  const rows: [DatasourceType, key: string, why: RegExp][] = [
    ['geojson', 'missing.geojson', /no file or folder/],
    ['geojson', 'mesh', /names a folder/],
    ['generic', '/', /cannot be a whole data bucket/],
    ['geojson', 'not.geojson', /does not begin like/],
    ['geojson', 'lines.geojson', /one feature per line.*platenTilesVector/],
    ['tileset', 'tileset.json', /separate folder/],
    ['tileset', 'odd', /asset\.version/],
    ['tileset', 'terrain', /no tileset\.json/],
    ['tileset', 'good.tif', /does not begin like/],
    ['qmesh', 'half', /0\/1\/0/],
    ['qmesh', 'mesh', /layer\.json/],
    ['oblique', 'mesh', /image\.json/],
    ['wms', 'places.geojson', /external/],
    ['tms', 'mesh', /no raster tiles/],
    ['tms', 'places.pmtiles', /no raster tiles/],
    ['vectortiles', 'raster.pmtiles', /no vector tiles/],
    ['vectortiles', 'cut.pmtiles', /PMTiles/],
    ['vectortiles', 'places.geojson'.replace('geojson', 'pmtiles/x'), /no file or folder/],
    ['vectortiles', 'good.fgb', /platenTilesVector/],
    ['flatgeobuf', 'utm.fgb', /EPSG:25833.*ogr2ogr/],
    ['flatgeobuf', 'unindexed.fgb', /no spatial index.*ogr2ogr/],
    ['flatgeobuf', 'high.fgb', /heights/],
    ['flatgeobuf', 'places.geojson', /not a FlatGeobuf/],
    ['panorama', 'mesh', /images\.fgb/],
    ['cog', 'utm.tif', /EPSG:25833.*platenConvertRaster/],
    ['cog', 'zstd.tif', /ZSTD/],
    ['cog', 'strips.tif', /strips/],
    ['cog', 'opaque.tif', /alpha/],
    ['cog', 'cut.tif', /cut off/],
    ['cog', 'good.fgb', /not a TIFF/],
  ];
  for (const [type, key, why] of rows) {
    await assert.rejects(create(internal(await samples, type, key)), (error: Error & { status?: number }) => {
      assert.equal(error.status, 422, `${type} ${key}: ${error.message}`);
      assert.match(error.message, why);
      return true;
    });
  }
});

test('sources and options of a wrong shape are refused where they are wrong', async () => {
  const { admin } = await service;
  const refused = async (body: unknown, status: number, pointer: string) => {
    await assert.rejects(
      admin.postProjectDatasource({ params: await samples, body: body as NewDatasource }),
      (error: Error & { status?: number; errors?: { pointer: string }[] }) => {
        assert.equal(error.status, status, error.message);
        assert.equal(error.errors?.[0]?.pointer, pointer, error.message);
        return true;
      },
    );
  };
  const good = external('geojson', 'https://example.org/a.geojson');
  await refused({ ...good, type: 'shape' }, 400, '/type');
  await refused({ ...good, sourceProperties: { type: 'external' } }, 400, '/sourceProperties/url');
  await refused({ ...good, sourceProperties: { type: 'ftp', url: 'x' } }, 400, '/sourceProperties');
  await refused(
    { ...good, sourceProperties: { ...good.sourceProperties, x: 1 } },
    400,
    '/sourceProperties/x',
  );
  await refused(external('geojson', 'file:///etc/passwd'), 400, '/sourceProperties/url');
  await refused(external('geojson', 'https://me:secret@example.org/'), 400, '/sourceProperties/url');
  await refused(external('geojson', 'nonsense'), 400, '/sourceProperties/url');
  await refused(internal(await samples, 'geojson', '../x'), 400, '/sourceProperties/dataBucketKey');
  const options = { ...good, typeProperties: { screenSpaceError: 'high' } };
  await refused(options, 400, '/typeProperties/screenSpaceError');
  await refused({ ...good, bbox: [0, 50, 1, 40] }, 400, '/bbox');
  const elsewhere = { type: 'internal', dataBucketId: 'nowhere', dataBucketKey: 'places.geojson' };
  await refused({ ...good, sourceProperties: elsewhere }, 422, '/sourceProperties/dataBucketId');
});

test('a bucket of another project cannot be pointed to', async () => {
  const { admin } = await service;
  const other = await admin.postProject({ body: world });
  const body = internal(await samples, 'geojson', 'places.geojson');
  const call = admin.postProjectDatasource({ params: { projectId: other._id }, body });
  await assert.rejects(call, { status: 422, code: 'unusable_reference' });
});

test('a creator without getDataBucket cannot point their datasource to other files of the project', async () => {
  const { admin, user } = await service;
  const { projectId, ...bucket } = await samples;
  const ben = await user('ben');
  const assign = (roleId: string) =>
    admin.putProjectUser({ params: { projectId, userId: ben.id }, body: { roleId } });
  await assign('projectManager');
  const body = internal({ projectId, ...bucket }, 'geojson', 'places.geojson');
  const { _id: datasourceId } = await ben.client.postProjectDatasource({ params: { projectId }, body });
  await assign('projectMember');
  const params = { projectId, datasourceId };
  const sourceProperties = { type: 'internal' as const, ...bucket, dataBucketKey: 'good.fgb' };
  await assert.rejects(
    ben.client.putProjectDatasource({ params, body: { type: 'generic', sourceProperties } }),
    { status: 403, code: 'forbidden' },
  );
  assert.equal((await ben.client.putProjectDatasource({ params, body: { name: 'mine' } })).name, 'mine');
});

test('the download of an external datasource leads to its address, whatever letters that has', async () => {
  const { app, adminToken } = await service;
  const { projectId } = await samples;
  const { _id } = await create(external('wms', 'https://example.org/karte/übersicht%20süd?t=中'));
  const reply = await app.inject({
    url: `/api/v1/project/${projectId}/datasource/${_id}/download`,
    headers: { authorization: `Bearer ${adminToken}` },
  });
  assert.equal(reply.statusCode, 302);
  assert.equal(reply.headers['location'], 'https://example.org/karte/%C3%BCbersicht%20s%C3%BCd?t=%E4%B8%AD');
});

test('a scene layer that is too long to be served is refused', async () => {
  const { admin } = await service;
  const { projectId, dataBucketId } = await samples;
  const layer = Buffer.from(`{"layerType":"Building","description":"${'x'.repeat(4 * 2 ** 20)}"}`);
  for (const [key, bytes] of [
    ['long/3dSceneLayer.json', layer],
    ['packed/3dSceneLayer.json.gz', gzipSync(layer)],
  ] as const) {
    const form = new FormData();
    form.append(key, new Blob([bytes as Uint8Array<ArrayBuffer>]), 'file');
    await admin.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
    await assert.rejects(create(internal(await samples, 'i3s', key.split('/')[0]!)), /more than 4 MiB/);
  }
});
