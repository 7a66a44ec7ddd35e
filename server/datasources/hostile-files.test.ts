import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { DatasourceType } from '@platen/contract/datasource-types';
import { afterFile } from '../../checks/clean-up.ts';
import { requireShortTurns, watchLoop } from '../base/testing-loop-watch.ts';
import { startService } from '../testing.ts';
import { hostileData, hostileResponses } from './testing-hostile-files.ts';
import { internal, world } from './testing.ts';

/** No request may take more, whatever file it names. */
const maxHeapMegabytes = 64;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (options?: { type: 'minor' }) => void;
collectGarbage();

const service = await startService({ settings: { fetchAllow: 'http 127.0.0.3/32' } });
const { app, admin, adminToken } = service;
const { _id: projectId, defaultDataBucketId: dataBucketId } = await admin.postProject({ body: world });
const params = { projectId, dataBucketId };
await get('/livez'); // compiled code, prepared statements

let response = '';
const web = createServer((_request, reply) => reply.end(response)).listen(0, '127.0.0.3');
afterFile(() => web.close());
await new Promise((resolve) => web.once('listening', resolve));

async function get(path: string): Promise<number> {
  const headers = { authorization: `Bearer ${adminToken}` };
  return (await app.inject({ url: path, headers })).statusCode;
}

/** Runs one request, and fails if it held the event loop or the heap. */
async function requireShort(name: string, request: () => Promise<number>): Promise<void> {
  collectGarbage({ type: 'minor' });
  let status = 0;
  const report = await watchLoop(async () => {
    status = await request();
  });
  assert.ok(status < 500, `${name}: status ${status}`);
  requireShortTurns(name, report);
  const { heapMegabytes } = report;
  assert.ok(heapMegabytes <= maxHeapMegabytes, `${name} took ${heapMegabytes} MiB of heap`);
}

async function post(path: string, body: object): Promise<{ status: number; id: string | undefined }> {
  const headers = { authorization: `Bearer ${adminToken}` };
  const reply = await app.inject({
    method: 'POST',
    url: `/api/v1/project/${projectId}/${path}`,
    headers,
    body,
  });
  return { status: reply.statusCode, id: reply.json<{ _id?: string }>()._id };
}

for (const [name, make] of Object.entries(hostileData)) {
  test(`no request is held up by ${name}`, async () => {
    const { type, key, files, paths } = make();
    for (const [path, bytes] of Object.entries(files)) {
      const form = new FormData();
      form.append(path, new Blob([bytes as Uint8Array<ArrayBuffer>]), 'file');
      await admin.postProjectDataBucketUpload({ params, query: { overwrite: true }, body: form });
    }
    let datasourceId: string | undefined;
    const register = async (as: DatasourceType) => {
      const { status, id } = await post('datasource', internal(params, as, key));
      datasourceId = id;
      return status;
    };
    await requireShort(`POST as ${type}`, () => register(type));
    if (datasourceId === undefined) await register('generic'); // which is not checked
    for (const path of paths) await requireShort(`GET ${path}`, () => get(`/data/${datasourceId}/${path}`));
    await requireShort('GET config', () =>
      get(`/api/v1/project/${projectId}/datasource/${datasourceId}/config`),
    );
    await admin.deleteProjectDatasource({ params: { projectId, datasourceId: datasourceId! } });
  });
}

for (const [name, make] of Object.entries(hostileResponses)) {
  test(`no probe is held up by a response of ${name}`, async () => {
    response = make();
    const url = `http://127.0.0.3:${(web.address() as AddressInfo).port}/evil.xml`;
    await requireShort('the probe', async () => (await post('datasource-probe', { url })).status);
  });
}
