import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { plainFeature, write as writeFlat } from '@platen/formats/flatgeobuf/testing';
import { newPlace } from '../../files/revisions/testing.ts';
import { startService } from '../../testing.ts';
import { sampleModule } from '../modules/testing.ts';

const service = await startService();
const { admin, app, context } = service;

async function oaks(): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-searched-'));
  const path = join(folder, 'oaks.fgb');
  await writeFlat([plainFeature({ type: 'Point', coordinates: [11, 51] }, { name: 'Oak Street' })], path);
  const bytes = await readFile(path);
  await rm(folder, { recursive: true });
  return bytes;
}

test('a release lists the names that its layers search, before anybody searches', async (t) => {
  const run = t.mock.method(context.parsers, 'run');
  const place = await newPlace(service);
  const form = new FormData();
  form.append('file', new Blob([await oaks()]), 'oaks.fgb');
  await admin.postProjectDataBucketUpload({ params: place, body: form });
  const { dataBucketId } = place;
  const sourceProperties = { type: 'internal' as const, dataBucketId, dataBucketKey: 'oaks.fgb' };
  const source = { name: 'Oaks', type: 'flatgeobuf' as const, sourceProperties };
  const { _id: datasourceId } = await admin.postProjectDatasource({ params: place, body: source });
  const layer = { type: 'FlatGeobufLayer', datasourceId };
  const layers = [
    { ...layer, name: 'broken', properties: { searchBy: '' } },
    { ...layer, name: 'oaks', properties: { searchBy: 'name' } },
    { ...layer, name: 'oaks again', properties: { searchBy: 'name' } },
  ];
  const { _id: moduleId } = await admin.postProjectModule({
    params: place,
    body: { ...sampleModule, layers },
  });
  const { _id: appId } = await admin.postProjectApp({
    params: place,
    body: { name: 'Oaks', moduleIds: [moduleId] },
  });
  const params = { ...place, appId };
  await admin.putProjectAppPublic({ params });

  const lists = () =>
    run.mock.calls.filter(({ arguments: [, { keepAs }] }) => keepAs?.endsWith(' names name') === true);
  assert.equal(lists().length, 0);
  await admin.postProjectAppRelease({ params });
  while (lists().length === 0) await setTimeout(10);
  const [made] = lists();
  const list = (await made!.result) as { readonly text: Uint8Array };
  const url = `/data/${datasourceId}/names.json?attribute=name`;
  assert.equal((await app.inject({ url })).body, Buffer.from(list.text).toString());
  assert.equal(lists().length, 2, 'by the release once for both layers, and by this search');
  assert.match(Buffer.from(list.text).toString(), /Oak Street\\t11\\t51/);
});
