// A test of faults.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runService, type RunningService } from './processes.ts';
import { startPreparedPostgres } from './testing-prepared.ts';

/** Below the three seconds for which answers are kept: what was changed is known by notification. */
const seenWithinMs = 2500;
/** A service looks four times in a second what its clock makes public, or private. */
const timedWithinMs = 10_000;

test('a release, withdrawal or schedule at one service is visible at the other at once, also after an outage', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-released-'));
  const postgres = await startPreparedPostgres(join(folder, 'postgres'));
  const env = {
    DATABASE_URL: postgres.url,
    PLATEN_STORAGE: `file:${join(folder, 'objects')}`,
    PLATEN_RUNNERS: '0',
  };
  const running = new Set<RunningService>();
  const run = async () => {
    const service = await runService({ env });
    running.add(service);
    return service;
  };
  t.after(async () => {
    for (const service of running) await service.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const [one, two] = await Promise.all([run(), run()]);
  const { params, id, write } = await makeMap(one);
  const config = `/app/${params.appId}/app.config.json`;
  const data = (revision: number) => `/data/${id}/~${revision}/places.json`;
  const status = async (url: string, service = two) => (await fetch(service.url + url)).status;
  /** Whatever the other service has in memory, as it was asked right before. */
  const become = async (expected: number, urls: readonly string[], limitMs = seenWithinMs) => {
    const start = performance.now();
    for (const url of urls) {
      while ((await status(url)) !== expected) {
        assert.ok(performance.now() - start < limitMs, `${url} answers ${expected} in time`);
        await sleep(10);
      }
    }
  };

  await one.client.putProjectAppPublic({ params });
  await one.client.postProjectAppRelease({ params, body: {} });
  await become(200, [config, data(1)]);
  await write('two');
  await become(404, [data(2)]);
  await one.client.postProjectAppRelease({ params, body: {} });
  await become(200, [data(2)]);
  await one.client.postProjectAppReleaseRestore({ params: { ...params, releaseId: '1' } });
  await one.client.deleteProjectAppRelease({ params: { ...params, releaseId: '2' } });
  await become(404, [data(2)]);
  assert.equal(await status(data(1)), 200);
  await one.client.deleteProjectAppPublic({ params });
  await become(404, [config, data(1)]);

  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  await one.client.putProjectAppPublic({ params, body: { from: inMs(20_000), until: inMs(40_000) } });
  assert.equal(await status(config), 404);
  const body = { from: inMs(1000), until: inMs(9000) };
  await one.client.putProjectAppPublic({ params, body });
  for (const [time, expected] of [
    [body.from, 200],
    [body.until, 404],
  ] as const) {
    await sleep(Math.max(0, Date.parse(time) - Date.now()));
    await become(expected, [config, data(1)], timedWithinMs);
  }

  const until = inMs(5000);
  await one.client.putProjectAppPublic({ params, body: { until } });
  await one.stop();
  await two.stop();
  running.clear();
  await sleep(Math.max(0, Date.parse(until) - Date.now()));
  const three = await run();
  for (let n = 0; n < 100 && (await status(config, three)) !== 404; n++) await sleep(50);
  assert.deepEqual([await status(config, three), await status(data(1), three)], [404, 404]);
  const { items } = await three.client.getAudit({ query: { targetId: [params.appId], limit: 100 } });
  const byItself = items.filter(({ actorId }) => actorId === '').map(({ action }) => action);
  assert.deepEqual(byItself.toReversed(), ['app.makePublic', 'app.makePrivate', 'app.makePrivate']);
});

async function makeMap({ client }: RunningService) {
  const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({ body });
  const params = { projectId, dataBucketId };
  const write = async (text: string) => {
    const form = new FormData();
    form.append('places.json', new Blob([text]), 'file');
    await client.postProjectDataBucketUpload({ params, query: { overwrite: true }, body: form });
  };
  await write('one');
  const sourceProperties = { type: 'internal' as const, dataBucketId, dataBucketKey: 'places.json' };
  const { _id: id } = await client.postProjectDatasource({
    params,
    body: { name: 'Places', type: 'generic', sourceProperties },
  });
  const layers = [{ type: 'GeoJSONLayer', name: 'places', datasourceId: id }];
  const maps = [{ type: 'CesiumMap', name: 'globe' }];
  const { _id: moduleId } = await client.postProjectModule({ params, body: { name: 'M', layers, maps } });
  const { _id: appId } = await client.postProjectApp({ params, body: { name: 'A', moduleIds: [moduleId] } });
  return { params: { ...params, appId }, id, write };
}
