import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestFailed } from '@platen/client/client';
import { createApp } from '../../app.ts';
import { newPlace } from '../../files/revisions/testing.ts';
import { startService } from '../../testing.ts';
import { newMap } from './testing.ts';
import { applyDueSchedules, startReleaseScheduler } from './scheduler.ts';

let now = new Date('2030-01-01T12:00:00.000Z');
const service = await startService({ now: () => now, settings: { tokenLifetimeMs: 20 * 365 * 86_400_000 } });
const { admin, context } = service;
const place = await newPlace(service);
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
const at = (time: Date) => time.toISOString();
const statusOf = async (appId: string) => {
  const { isPublic, publicFrom, publicUntil } = await admin.getProjectApp({ params: { ...place, appId } });
  return { isPublic, publicFrom, publicUntil };
};
const actionsOf = async (appId: string) => {
  const query = { targetId: [appId], limit: 100 };
  const { items } = await admin.getAudit({ query });
  return items.map(({ action, actorId }) => `${action}${actorId === '' ? ' by itself' : ''}`).toReversed();
};
const none = { publicFrom: undefined, publicUntil: undefined };

test('an app becomes public at its time, and ends at its time, each once, whoever looks', async () => {
  const { params, appId } = await newMap(service, place, ['timed']);
  const [from, until] = [minutes(10), minutes(20)];
  const set = await admin.putProjectAppPublic({ params, body: { from: at(from), until: at(until) } });
  assert.deepEqual(
    { isPublic: set.isPublic, publicFrom: set.publicFrom, publicUntil: set.publicUntil },
    { isPublic: false, publicFrom: at(from), publicUntil: at(until) },
  );
  assert.equal(await applyDueSchedules(context), 0);
  now = from;
  const counts = await Promise.all([1, 2, 3].map(() => applyDueSchedules(context)));
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    1,
  );
  assert.deepEqual(await statusOf(appId), { isPublic: true, publicFrom: undefined, publicUntil: at(until) });
  now = until;
  await Promise.all([1, 2, 3].map(() => applyDueSchedules(context)));
  assert.deepEqual(await statusOf(appId), { isPublic: false, ...none });
  assert.deepEqual(await actionsOf(appId), [
    'app.schedulePublic',
    'app.makePublic by itself',
    'app.makePrivate by itself',
  ]);
  const { rows } = await context.db
    .selectFrom('project_change')
    .select('action')
    .where('resource_id', '=', appId)
    .orderBy('id')
    .execute()
    .then((all) => ({ rows: all.map(({ action }) => action) }));
  assert.deepEqual(rows, ['created', 'changed', 'changed', 'changed']);
});

test('events missed during downtime are made up for in order', async () => {
  const { params, appId } = await newMap(service, place, ['missed']);
  const one = await newMap(service, place, ['late']);
  await admin.putProjectAppPublic({ params, body: { from: at(minutes(1)), until: at(minutes(2)) } });
  await admin.putProjectAppPublic({ params: one.params, body: { from: at(minutes(1)) } });
  now = minutes(600);
  assert.equal(await applyDueSchedules(context), 2);
  assert.deepEqual(await statusOf(appId), { isPublic: false, ...none });
  assert.deepEqual((await actionsOf(appId)).slice(1), [
    'app.makePublic by itself',
    'app.makePrivate by itself',
  ]);
  assert.deepEqual(await statusOf(one.appId), { isPublic: true, ...none });
  assert.equal(await applyDueSchedules(context), 0);
});

test('until the scheduled time the app is unchanged; then it shows the named release, or none', async () => {
  const { params, appId } = await newMap(service, place, ['switch']);
  const first = await admin.postProjectAppRelease({ params, body: {} });
  const second = await admin.postProjectAppRelease({ params, body: { show: false } });
  await admin.putProjectAppPublic({ params });
  const shown = async () => (await admin.getProjectApp({ params })).releaseId;
  const set = await admin.putProjectAppPublic({
    params,
    body: { releaseId: second._id, from: at(minutes(5)) },
  });
  assert.deepEqual([set.isPublic, set.releaseId, set.publicReleaseId], [true, first._id, second._id]);
  now = minutes(6);
  await applyDueSchedules(context);
  assert.equal(await shown(), second._id);
  await admin.putProjectAppPublic({ params, body: { releaseId: null, from: at(minutes(5)) } });
  now = minutes(6);
  await applyDueSchedules(context);
  assert.equal(await shown(), undefined);
  const { isPublic, publicReleaseId } = await admin.getProjectApp({ params });
  assert.deepEqual([isPublic, publicReleaseId], [true, undefined]);
  assert.deepEqual((await actionsOf(appId)).filter((action) => action.endsWith('by itself')).length, 2);
  // now means now
  const again = await admin.putProjectAppPublic({ params, body: { releaseId: '1' } });
  assert.equal(again.releaseId, first._id);
});

test('each request says all of it, and to take it back clears both times', async () => {
  const { params, appId } = await newMap(service, place, ['cleared']);
  await admin.putProjectAppPublic({ params, body: { from: at(minutes(5)), until: at(minutes(9)) } });
  await admin.putProjectAppPublic({ params, body: { from: at(minutes(7)) } });
  assert.deepEqual(await statusOf(appId), {
    isPublic: false,
    publicFrom: at(minutes(7)),
    publicUntil: undefined,
  });
  assert.deepEqual(await admin.deleteProjectAppPublic({ params }), { numberOfDeletedItems: 1 });
  assert.deepEqual(await admin.deleteProjectAppPublic({ params }), { numberOfDeletedItems: 0 });
  assert.deepEqual(await statusOf(appId), { isPublic: false, ...none });
  await admin.putProjectAppPublic({ params, body: { until: at(minutes(3)) } });
  assert.deepEqual(await statusOf(appId), {
    isPublic: true,
    publicFrom: undefined,
    publicUntil: at(minutes(3)),
  });
  const { revision } = await admin.putProjectAppPublic({ params, body: { until: at(minutes(3)) } });
  assert.equal((await admin.getProjectApp({ params })).revision, revision, 'nothing new is no change');
  await admin.putProjectAppPublic({ params });
  assert.deepEqual(await statusOf(appId), { isPublic: true, ...none });
  now = minutes(60);
  assert.equal(await applyDueSchedules(context), 0);
});

test('a schedule of a user without permission does not publish, but still ends', async () => {
  const ann = await service.user('ann');
  const membership = { params: { projectId: place.projectId, userId: ann.id } };
  await admin.putProjectUser({ ...membership, body: { roleId: 'projectManager' } });
  const { params, appId } = await newMap(service, place, ['left']);
  const ending = await newMap(service, place, ['ending']);
  await ann.client.putProjectAppPublic({ params, body: { from: at(minutes(5)) } });
  await ann.client.putProjectAppPublic({ params: ending.params, body: { until: at(minutes(5)) } });
  await admin.putProjectUser({ ...membership, body: { roleId: 'projectMember' } });
  now = minutes(6);
  await applyDueSchedules(context);
  assert.deepEqual(await statusOf(appId), { isPublic: false, ...none });
  assert.deepEqual((await actionsOf(appId)).at(-1), 'app.refusePublic by itself');
  assert.deepEqual(await statusOf(ending.appId), { isPublic: false, ...none });
});

test('a user who changes a schedule becomes responsible for it', async () => {
  const bea = await service.user('bea');
  const membership = { params: { projectId: place.projectId, userId: bea.id } };
  await admin.putProjectUser({ ...membership, body: { roleId: 'projectManager' } });
  const { params, appId } = await newMap(service, place, ['again']);
  const body = { from: at(minutes(5)) };
  await bea.client.putProjectAppPublic({ params, body });
  await admin.putProjectUser({ ...membership, body: { roleId: 'projectMember' } });
  const { revision } = await admin.putProjectAppPublic({ params, body });
  assert.equal((await admin.putProjectAppPublic({ params, body })).revision, revision);
  now = minutes(6);
  await applyDueSchedules(context);
  assert.deepEqual(await statusOf(appId), { isPublic: true, ...none });
});

test('times that cannot be are refused with their place', async () => {
  const { params } = await newMap(service, place, ['refused']);
  const refused = (body: object, pointer: string, status = 400) =>
    assert.rejects(
      admin.putProjectAppPublic({ params, body }),
      (error: RequestFailed) => error.status === status && error.errors[0]?.pointer === pointer,
      JSON.stringify(body),
    );
  await refused({ until: at(now) }, '/until');
  await refused({ from: at(minutes(5)), until: at(minutes(5)) }, '/until');
  await refused({ from: at(minutes(5)), until: at(minutes(4)) }, '/until');
  await refused({ from: 'tomorrow' }, '/from');
  await refused({ from: 5 }, '/from');
  await refused({ releaseId: '01none' }, '/releaseId', 422);
  await refused({ releaseId: 'draft' }, '/releaseId', 422);
  await refused({ at: at(minutes(5)) }, '/at');
  assert.equal((await admin.getProjectApp({ params })).isPublic, false);
});

test('schedulers of replicas apply it by themselves, and all replicas show it within a second', async (t: TestContext) => {
  const { params, appId, ids } = await newMap(service, place, ['replicas']);
  const replica = await createApp(context);
  const stops = [1, 2, 3].map(() => startReleaseScheduler(context));
  t.after(async () => {
    await Promise.all(stops.map((stop) => stop()));
    await replica.close();
  });
  await admin.postProjectAppRelease({ params, body: {} });
  const [from, until] = [minutes(5), minutes(9)];
  await admin.putProjectAppPublic({ params, body: { from: at(from), until: at(until) } });
  const statuses = async () => {
    const urls = [`/app/${appId}/app.config.json`, `/data/${ids['replicas']}/~1/replicas.geojson`];
    const answers = await Promise.all(
      [service.app, replica].flatMap((one) => urls.map((url) => one.inject({ url }))),
    );
    return answers.map(({ statusCode }) => statusCode);
  };
  const become = async (wanted: number) => {
    const limit = performance.now() + 5000; // a second is tried by e2e/released.test.ts, on services of their own
    while ((await statuses()).some((status) => status !== wanted)) {
      assert.ok(performance.now() < limit, `${wanted} in time`);
      await sleep(20);
    }
  };
  assert.deepEqual(await statuses(), [404, 404, 404, 404]);
  now = from;
  await become(200);
  now = until;
  await become(404);
  assert.equal((await actionsOf(appId)).filter((action) => action.endsWith('by itself')).length, 2);
});
