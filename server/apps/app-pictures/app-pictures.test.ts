import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writePng } from '@platen/formats/png/write-png';
import { apiPrefix } from '@platen/contract/endpoint';
import { sampleModule } from '../modules/testing.ts';
import { sweep } from '../../project/retention/sweep.ts';
import { startService } from '../../testing.ts';
import { removeProject } from '../../testing-projects.ts';

const service = await startService();
const { admin, app, context } = service;
const max = await service.user('max');
const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };

/** An app that is public, in a project of its own. */
async function publish(quota: { bytes?: number } = {}) {
  const { _id: projectId } = await admin.postProject({
    body: { ...body, quota },
    query: { managerId: max.id },
  });
  const project = { projectId };
  const module = await max.client.postProjectModule({ params: project, body: sampleModule });
  const { _id: appId } = await max.client.postProjectApp({
    params: project,
    body: { name: 'Trees', moduleIds: [module._id] },
  });
  const params = { projectId, appId };
  await max.client.putProjectAppPublic({ params });
  return {
    params,
    put: (picture: Uint8Array) =>
      max.client.putProjectAppPicture({ params, body: new Blob([new Uint8Array(picture)]) }),
    page: async () => (await app.inject({ url: `/app/${appId}/`, headers: { host: 'maps.test' } })).body,
    preview: (ending = 'png', headers = {}) =>
      app.inject({ url: `/app/${appId}/preview.${ending}`, headers }),
    pictures: async () => (await admin.getProjectUsage({ params: project })).pictures,
  };
}

const png = (width: number, height: number, shade = 0) =>
  writePng(new Uint8Array(width * height * 4).fill(shade), width, height);
/** Of 5 × 3 pixels, as encoders write them. */
const jpeg = Buffer.from(
  'ffd8ffe000104a46494600010100000100010000ffdb0004000affc0000b080003000501011100ffc40004ff00ffda0008010100003f00d2cf20ffd9',
  'hex',
);
const lossless = riff('VP8L', Buffer.from([0x2f, 4, 0x80, 0, 0, 0, 0, 0, 0, 0]));
const lossy = riff('VP8 ', Buffer.from([0x30, 1, 0, 0x9d, 0x01, 0x2a, 5, 0, 3, 0, 0, 0]));
const extended = riff('VP8X', Buffer.from([0, 0, 0, 0, 4, 0, 0, 2, 0, 0]));

function riff(type: string, data: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.from('WEBP'), Buffer.from(type), length(data.length), data]);
  return Buffer.concat([Buffer.from('RIFF'), length(chunk.length), chunk]);
}

function length(bytes: number): Buffer {
  const result = Buffer.alloc(4);
  result.writeUInt32LE(bytes);
  return result;
}

test('the picture that was uploaded is what links are shown with, whatever it is', async () => {
  const { put, page, preview, params } = await publish();
  for (const [bytes, contentType, ending, size] of [
    [png(40, 20), 'image/png', 'png', [40, 20]],
    [jpeg, 'image/jpeg', 'jpg', [5, 3]],
    [lossless, 'image/webp', 'webp', [5, 3]],
    [lossy, 'image/webp', 'webp', [5, 3]],
    [extended, 'image/webp', 'webp', [5, 3]],
  ] as const) {
    const picture = await put(bytes);
    assert.deepEqual([picture.contentType, picture.width, picture.height], [contentType, ...size]);
    const html = await page();
    const address = /og:image" content="http:\/\/maps\.test([^"]+)"/.exec(html)![1]!;
    assert.match(address, new RegExp(`/preview\\.${ending}\\?v=${picture.sha256.slice(0, 8)}$`));
    assert.ok(html.includes(`og:image:type" content="${contentType}"`));
    assert.ok(html.includes(`og:image:width" content="${size[0]}"`));
    for (const url of [address, address.replace(/preview\.\w+/, 'preview.png')]) {
      const answer = await app.inject({ url });
      assert.deepEqual([answer.statusCode, answer.headers['content-type']], [200, contentType]);
      assert.ok(answer.rawPayload.equals(bytes));
      assert.match(String(answer.headers['content-security-policy']), /sandbox/);
      const again = { 'if-none-match': String(answer.headers['etag']) };
      assert.equal((await preview(ending, again)).statusCode, 304);
    }
    const download = await max.client.getProjectAppPicture({ params });
    assert.ok(Buffer.from(await download.arrayBuffer()).equals(bytes));
  }
  assert.equal((await max.client.getProjectAppEmbed({ params })).hasPicture, true);
  assert.equal((await max.client.deleteProjectAppPicture({ params })).numberOfDeletedItems, 1);
  assert.equal((await max.client.deleteProjectAppPicture({ params })).numberOfDeletedItems, 0);
  await assert.rejects(max.client.getProjectAppPicture({ params }), { status: 404 });
  assert.equal((await max.client.getProjectAppEmbed({ params })).hasPicture, false);
  assert.equal((await preview()).rawPayload.readUInt32BE(16), 1200);
});

test('without an uploaded picture, links are shown with the map in its styles, painted once for the same content', async () => {
  const { params, preview } = await publish();
  const { projectId } = params;
  const { defaultDataBucketId: dataBucketId } = await admin.getProject({ params });
  const ring = [
    [7, 47],
    [13, 47],
    [13, 55],
    [7, 55],
    [7, 47],
  ];
  const geometry = { type: 'Polygon', coordinates: [ring] };
  const form = new FormData();
  form.append('a.json', new Blob([JSON.stringify({ type: 'Feature', properties: {}, geometry })]), 'a.json');
  await admin.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, query: {}, body: form });
  const sourceProperties = { type: 'internal' as const, dataBucketId, dataBucketKey: 'a.json' };
  const data = { name: 'Areas', type: 'geojson' as const, sourceProperties, bbox: [7, 47, 13, 55] };
  const { _id: datasourceId } = await admin.postProjectDatasource({ params, body: data });
  const show = async (color: string) => {
    const style = { type: 'VectorStyleItem', fill: { color } };
    const layers = [{ type: 'GeoJSONLayer', name: 'areas', activeOnStartup: true, datasourceId, style }];
    const body = { ...sampleModule, layers };
    const { _id } = await max.client.postProjectModule({ params, body });
    await max.client.putProjectApp({ params, body: { moduleIds: [_id] } });
    return preview();
  };
  const before = context.parsers.counts.stopped;
  const [red, blue] = [await show('#ff0000'), await show('#0000ff')];
  assert.ok(!red.rawPayload.equals(blue.rawPayload));
  assert.notEqual(red.headers['etag'], blue.headers['etag']);
  assert.deepEqual(context.parsers.counts.stopped, before, 'both were painted');
  assert.ok((await show('#ff0000')).rawPayload.equals(red.rawPayload));
  const again = { 'if-none-match': String(red.headers['etag']) };
  assert.equal((await preview('png', again)).statusCode, 304);
});

test('an invalid, truncated or too large picture is refused, and the former one remains', async () => {
  const { put, preview, pictures, params } = await publish();
  const before = png(8, 8, 7);
  await put(before);
  const wide = png(4097, 1);
  const bytes = Buffer.from(png(30, 30));
  const broken = [
    Buffer.alloc(0),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    Buffer.from('GIF89a'.padEnd(60, '0')),
    bytes.subarray(0, bytes.length - 12),
    bytes.subarray(0, 40),
    jpeg.subarray(0, 20),
    lossless.subarray(0, 21),
    Buffer.concat([bytes.subarray(0, 8), Buffer.from('ffffffff49484452', 'hex'), Buffer.alloc(60)]),
    Buffer.concat([jpeg.subarray(0, 4), Buffer.from('ffff'), Buffer.alloc(40)]),
    wide,
  ];
  for (const [index, one] of broken.entries()) await assert.rejects(put(one), { status: 422 }, `${index}`);
  const long = Buffer.concat([png(8, 8), Buffer.alloc(2 * 1024 * 1024)]);
  await assert.rejects(put(long), { status: 413 });
  const send = (type: string, payload: string | Buffer) =>
    app.inject({
      method: 'PUT',
      url: `${apiPrefix}/project/${params.projectId}/app/${params.appId}/picture`,
      headers: { authorization: `Bearer ${max.token}`, 'content-type': type },
      payload,
    });
  assert.equal((await send('text/html', '<p>')).statusCode, 415);
  assert.equal((await send('application/json', '{}')).statusCode, 415);
  assert.ok((await preview()).rawPayload.equals(before));
  assert.deepEqual(await pictures(), { bytes: before.length, objects: 1 });
  assert.equal((await send('image/jpeg', Buffer.from(png(8, 8)))).statusCode, 200);
});

test('pictures count against the quota, and one that does not fit is refused', async () => {
  const { put, pictures } = await publish({ bytes: 3000 });
  const small = png(8, 8);
  await put(small);
  await put(small);
  assert.deepEqual(await pictures(), { bytes: small.length, objects: 1 });
  const noise = Uint8Array.from({ length: 40 * 40 * 4 }, (_, i) => (i * i * 7919) >>> (i % 9));
  await assert.rejects(put(writePng(noise, 40, 40)), { status: 507 });
  assert.deepEqual(await pictures(), { bytes: small.length, objects: 1 });
});

test('a picture goes to the trash with its app and returns with it, or is deleted an hour later', async () => {
  const { params, put, pictures } = await publish();
  const { projectId, appId } = params;
  const bytes = png(16, 16, 3);
  await put(bytes);
  const { blob_id: blobId } = await context.db
    .selectFrom('app_picture')
    .select('blob_id')
    .where('app_id', '=', appId)
    .executeTakeFirstOrThrow();
  const later = { ...context, now: () => new Date(Date.now() + 3_700_000) };
  const isThere = async () => {
    await sweep(later);
    return (await context.store.head(blobId)) !== undefined;
  };
  const trash = async () => (await admin.getProjectTrash({ params: { projectId } })).items;
  const usage = async () => (await admin.getProjectUsage({ params: { projectId } })).trash.bytes;
  await max.client.deleteProjectApp({ params });
  assert.deepEqual([await pictures(), await usage()], [{ bytes: 0, objects: 0 }, bytes.length]);
  assert.equal(await isThere(), true);
  const [item] = await trash();
  assert.equal(item!.size, bytes.length);
  await max.client.postProjectTrashItemRestore({ params: { projectId, trashId: item!._id } });
  assert.deepEqual([await pictures(), await usage()], [{ bytes: bytes.length, objects: 1 }, 0]);
  const restored = await max.client.getProjectAppPicture({ params });
  assert.ok(Buffer.from(await restored.arrayBuffer()).equals(bytes));
  assert.equal(await isThere(), true);
  await max.client.deleteProjectApp({ params });
  await admin.deleteProjectTrashItem({ params: { projectId, trashId: (await trash())[0]!._id } });
  assert.equal(await usage(), 0);
  assert.equal(await isThere(), false);
});

test('a picture is deleted with its project, and when another replaces it', async () => {
  const { params, put } = await publish();
  const ids = async () =>
    (
      await context.db
        .selectFrom('blob')
        .select('id')
        .where('project_id', '=', params.projectId)
        .where('unneeded_since', 'is', null)
        .execute()
    ).length;
  await put(png(9, 9, 1));
  await put(png(9, 9, 2));
  assert.equal(await ids(), 1);
  await removeProject(admin, params.projectId);
  assert.equal(await ids(), 0);
  const left = await context.db
    .selectFrom('app_picture')
    .select('app_id')
    .where('app_id', '=', params.appId)
    .execute();
  assert.deepEqual(left, []);
});
