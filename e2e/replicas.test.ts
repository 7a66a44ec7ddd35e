import assert from 'node:assert/strict';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@platen/client/client';
import { apiEndpoints } from '@platen/contract/api';
import { publishDemo } from '@platen/examples/publish-demo';
import { adminPassword, runService } from './processes.ts';
import { startPreparedPostgres } from './testing-prepared.ts';

const file = (name: string) => openAsBlob(new URL(`../examples/data/${name}`, import.meta.url));
/** Below the three seconds for which answers are kept: what was changed is known by notification. */
const seenWithinMs = 2500;

test('two services that start together on one database act as one: each knows at once what the other does', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-replicas-'));
  const postgres = await startPreparedPostgres(join(folder, 'postgres'));
  const env = { DATABASE_URL: postgres.url, PLATEN_STORAGE: `file:${join(folder, 'objects')}` };
  // the runner belongs to the second service, and runs jobs that the first one accepted
  const [one, two] = await Promise.all([
    runService({ env: { ...env, PLATEN_RUNNERS: '0' } }),
    runService({ env: { ...env, PLATEN_RUNNERS: '1' } }),
  ]);
  try {
    const address = await publishDemo({
      url: one.url,
      username: 'admin',
      password: adminPassword,
      file,
      say: () => {},
    });
    const path = new URL(address).pathname;
    const { items } = await two.client.getProjects();
    const params = { projectId: items[0]!._id };
    const [datasource] = (await two.client.getProjectDatasources({ params })).items;
    const tile = datasource!.uri.replace('{z}/{x}/{y}', '0/0/0');
    const status = async (url: string) => (await fetch(two.url + url)).status;
    assert.deepEqual([await status(path), await status(tile)], [200, 200]);

    const apps = await two.client.getProjectApps({ params });
    const app = { params: { ...params, appId: apps.items[0]!._id } };
    const becomes = async (url: string, wanted: number) => {
      const start = performance.now();
      while ((await status(url)) !== wanted) {
        assert.ok(performance.now() - start < seenWithinMs, `${url} answers ${wanted} in time`);
        await sleep(10);
      }
    };
    await one.client.deleteProjectAppPublic(app);
    await Promise.all([becomes(path, 404), becomes(tile, 404)]);
    await one.client.putProjectAppPublic(app);
    await Promise.all([becomes(path, 200), becomes(tile, 200)]);

    const credentials = { username: 'admin', password: adminPassword };
    const { token } = await one.client.postLogin({ body: credentials });
    const elsewhere = createClient(apiEndpoints, { baseUrl: two.url, token });
    await elsewhere.getUserWhoami();
    await createClient(apiEndpoints, { baseUrl: one.url, token }).getLogout();
    await assert.rejects(elsewhere.getUserWhoami(), { status: 401 });
  } finally {
    await one.stop();
    await two.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
