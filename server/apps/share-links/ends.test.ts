import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSharing } from './testing.ts';

const { service, replica, max, params, ids, newApp, share, setClock, get, openVisit } = await startSharing();
const { projectId } = ids;
const everywhere = async (url: string) =>
  (await Promise.all([get(url), get(url, { at: replica })])).map(({ statusCode }) => statusCode);

/** Within a second, on both replicas. */
async function endsBy(change: () => Promise<unknown>, urls: readonly string[], statuses: readonly number[]) {
  for (const url of urls) assert.deepEqual(await everywhere(url), [200, 200], url);
  await change();
  const now = async () => (await Promise.all(urls.map(everywhere))).flat();
  const until = Date.now() + 1000;
  while ((await now()).includes(200) && Date.now() < until) await sleep(20);
  assert.deepEqual(
    await now(),
    statuses.flatMap((status) => [status, status]),
  );
}

test('page, configuration and data end within a second of the end of the link, on every replica', async () => {
  const changes: [(shareLinkId: string) => Promise<unknown>, number[]][] = [
    [
      (shareLinkId) => max.client.deleteProjectAppShareLink({ params: { ...params, shareLinkId } }),
      [404, 404, 404],
    ],
    [
      (shareLinkId) =>
        max.client.putProjectAppShareLink({
          params: { ...params, shareLinkId },
          body: { expiresAt: '2020-01-01T00:00:00Z' },
        }),
      [410, 404, 404],
    ],
    [
      (shareLinkId) =>
        max.client.putProjectAppShareLink({
          params: { ...params, shareLinkId },
          body: { password: 'correct horse' },
        }),
      [303, 404, 404],
    ],
  ];
  for (const [change, statuses] of changes) {
    const { url, _id } = await share();
    const { address, config, data } = await openVisit(url);
    await endsBy(() => change(_id), [address, config, data], statuses);
  }
});

test('an expired link ends by itself, also on a replica that has just read it', async () => {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const { url } = await share({ expiresAt: expiresAt.toISOString() });
  setClock(new Date(expiresAt.getTime() - 2000));
  const { address, config, data } = await openVisit(url);
  assert.deepEqual(await everywhere(data), [200, 200]);
  setClock(expiresAt);
  assert.deepEqual(await everywhere(data), [404, 404]);
  assert.deepEqual(await everywhere(config), [404, 404]);
  assert.deepEqual(await everywhere(address), [410, 410]);
  const page = await get(url);
  assert.equal(page.statusCode, 410);
  assert.match(page.body, /This link has expired/);
  assert.ok(!page.body.includes('Trees'));
  assert.match(
    (await get(url, { headers: { 'accept-language': 'de-AT' } })).body,
    /Dieser Link ist abgelaufen/,
  );
  setClock(0);
});

test('a link shows only what the user behind the app may read', async () => {
  const eva = await service.user('eva');
  await max.client.putProjectUser({
    params: { projectId, userId: eva.id },
    body: { roleId: 'projectManager' },
  });
  const of = await newApp(eva);
  const { url } = await share({}, of);
  const { address, config, data } = await openVisit(url);
  await endsBy(
    () =>
      max.client.putProjectUser({
        params: { projectId, userId: eva.id },
        body: { roleId: 'projectMember' },
      }),
    [data],
    [404],
  );
  assert.ok(!(await get(config)).body.includes('/data/t/'), 'the module is someone else’s');
  await max.client.putProjectUser({
    params: { projectId, userId: eva.id },
    body: { roleId: 'projectManager' },
  });
  const leave = () => max.client.deleteProjectUser({ params: { projectId, userId: eva.id } });
  await endsBy(leave, [address, config, data], [410, 404, 404]);
  await assert.rejects(eva.client.getProjectApp({ params: of }), { status: 404 });
});

test('an app that is deleted ends its links and visits', async () => {
  const of = await newApp();
  const { url } = await share({}, of);
  const { address, config, data } = await openVisit(url);
  await endsBy(() => max.client.deleteProjectApp({ params: of }), [address, config, data], [404, 404, 404]);
});
