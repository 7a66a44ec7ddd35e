import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { projectWithCities, tilingTask } from '../jobs/tasks/testing.ts';
import { startService } from '../testing.ts';

const service = await startService();
const { admin, adminToken, app, context, user } = service;
const { projectId, bucketId } = await projectWithCities(service);
const params = { projectId };
const { id: userId } = await user('eva');
const properties = { z: 1, a: [1.5, null, { b: 'c' }] };
const module = await admin.postProjectModule({
  params,
  body: { name: 'M', properties, maps: [{ type: 'CesiumMap', name: 'globe' }] },
});
const datasource = await admin.postProjectDatasource({
  params,
  body: {
    name: 'D',
    type: 'geojson',
    typeProperties: { isDynamic: true },
    properties,
    sourceProperties: { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'cities.geojson' },
  },
});
const map = await admin.postProjectApp({
  params,
  body: { name: 'A', description: '', mapVersion: '^6.3.0', moduleIds: [module._id], slug: 'cities' },
});
const scenario = await admin.postProjectScenario({
  params,
  body: { name: 'S', moduleIds: [module._id], appId: map._id },
});
const link = await admin.postProjectAppShareLink({
  params: { projectId, appId: map._id },
  body: { name: 'L', expiresAt: '2099-01-01T00:00:00Z', password: 'three blue boats' },
});
const schedule = { type: 'cron', cron: '0 4 * * *' };
const task = await admin.postProjectTask({ params, body: tilingTask(bucketId, { schedule, properties }) });
const credential = await admin.postProjectCredential({
  params,
  body: { name: 'C', type: 'ftp', host: 'ftp.example.org', folder: '', username: 'u', password: 'p' },
});
const login = await admin.postLoginCredential({
  body: { name: 'l', type: 'userPassword', username: 'u', password: 'p' },
});

const base = `/project/${projectId}`;
const resources = {
  project: base,
  user: `/user/${userId}`,
  bucket: `${base}/data-bucket/${bucketId}`,
  datasource: `${base}/datasource/${datasource._id}`,
  module: `${base}/module/${module._id}`,
  app: `${base}/app/${map._id}`,
  'share link': `${base}/app/${map._id}/share-link/${link._id}`,
  scenario: `${base}/scenario/${scenario._id}`,
  task: `${base}/task/${task._id}`,
  credential: `${base}/credential/${credential._id}`,
  login: `/login-credential/${login._id}`,
  settings: '/admin/settings',
};

const send = async (method: 'GET' | 'PUT', path: string, payload?: object, headers = {}) => {
  const reply = await app.inject({
    method,
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${adminToken}`, ...headers },
    ...(payload && { payload }),
  });
  assert.equal(reply.statusCode, 200, `${method} ${path}: ${reply.body}`);
  return reply.json<Record<string, unknown> & { revision: number }>();
};

async function countChanges(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int from project_change`.execute(context.db);
  return rows[0]!.count;
}

for (const [name, path] of Object.entries(resources)) {
  test(`a PUT that changes nothing of a ${name} makes no revision and no event`, async () => {
    const before = await send('GET', path);
    const changes = await countChanges();
    assert.deepEqual(await send('PUT', path, {}), before, 'no field');
    assert.deepEqual(await send('PUT', path, before), before, 'the same fields');
    assert.deepEqual(await send('PUT', path, before, { 'if-match': `"${before.revision}"` }), before);
    assert.deepEqual(await send('GET', path), before);
    assert.equal(await countChanges(), changes);
    const field = name === 'user' ? 'username' : 'name';
    const changed = await send('PUT', path, { ...before, [field]: 'Another' });
    assert.deepEqual([changed.revision, changed[field]], [before.revision + 1, 'Another']);
  });
}

test('another order of the keys of a free-form object is a change, as it is kept', async () => {
  const { revision } = await send('GET', resources.module);
  const changed = await send('PUT', resources.module, { properties: { a: properties.a, z: 1 } });
  assert.equal(changed.revision, revision + 1);
  assert.deepEqual(Object.keys(changed['properties'] as object), ['a', 'z']);
});

test('a PUT that changes nothing is still refused for another revision', async () => {
  for (const path of Object.values(resources)) {
    const reply = await app.inject({
      method: 'PUT',
      url: `/api/v1${path}`,
      headers: { authorization: `Bearer ${adminToken}`, 'if-match': '"77"' },
      payload: {},
    });
    assert.equal(reply.statusCode, 412, path);
  }
});

const stamps = new Set(['revision', 'updatedAt', 'updatedBy']);
const without = (resource: object, names: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(resource).filter(([name]) => !names.has(name)));

test('a PUT replaces each field that it names as a whole, and leaves all others', async () => {
  const url = 'https://maps.city.example/{z}/{x}/{y}.png';
  const baseMap = { id: 'city', name: 'City', type: 'xyz', url, attribution: { text: 'City' } };
  const free = [{ a: { b: 1, c: 2 }, d: [1, 2] }, { a: { b: 9 } }];
  const replaced: Record<keyof typeof resources, Record<string, readonly unknown[]>> = {
    project: {
      description: ['x'],
      bbox: [[1, 2, 3, 4]],
      properties: free,
      quota: [{ bytes: 2_000_000, objects: 100 }, { bytes: 1_000_000 }],
      keepJobs: [{ days: 20, perTask: 1000 }, { days: 30 }],
      baseMaps: [[baseMap], []],
    },
    user: { email: ['eva@city.example'] },
    bucket: { description: ['x'], properties: free },
    datasource: { description: ['x'], bbox: [[1, 2, 3, 4]], properties: free },
    module: {
      description: ['x'],
      properties: free,
      layers: [[{ type: 'WMSLayer', name: 'a', url: '/a', layers: 'a' }], []],
      projection: [{ epsg: 25832, proj4: '+proj=utm +zone=32' }, { epsg: 4326 }],
    },
    app: {
      description: ['x'],
      baseMaps: [['world-dark', 'world-light'], []],
      properties: free,
      frameOrigins: [['https://a.example'], []],
      moduleIds: [[]],
    },
    'share link': { allowedOrigins: [['https://a.example'], []], maxUses: [3] },
    scenario: { description: ['x'], properties: free, moduleIds: [[]] },
    task: { description: ['x'], properties: free, tags: free, labels: [['a', 'b'], ['c']], priority: [3] },
    credential: { description: ['x'], host: ['files.example.org'] },
    login: { description: ['x'] },
    settings: { listsPublicApps: [true], apiOrigins: [['https://a.example'], []], baseMaps: [[baseMap], []] },
  };
  for (const [resource, fields] of Object.entries(replaced)) {
    const path = resources[resource as keyof typeof resources];
    for (const [field, values] of Object.entries(fields)) {
      for (const value of values) {
        const before = await send('GET', path);
        // another server needs its login again
        const login = field === 'host' ? { username: 'u', password: 'p' } : {};
        const after = await send('PUT', path, { [field]: value, ...login });
        assert.deepEqual(after[field], value, `${resource} ${field}`);
        const others = new Set([...stamps, field, 'warnings']);
        assert.deepEqual(without(after, others), without(before, others), `${resource} ${field}`);
      }
    }
  }
});

test('a PUT merges options of types, `typeProperties` and `parameters`, unless they are overwritten', async () => {
  const put = (path: string, body: object) => send('PUT', path, body);
  const style = { type: 'VectorStyleItem', fill: { color: '#fff' } };
  await put(resources.datasource, { typeProperties: { style, zIndex: 3 } });
  const merged = await put(resources.datasource, { typeProperties: { zIndex: 4, style: { type: 'x' } } });
  assert.deepEqual(merged['typeProperties'], { isDynamic: true, style: { type: 'x' }, zIndex: 4 });
  const removed = await put(resources.datasource, { typeProperties: { style: null } });
  assert.deepEqual(removed['typeProperties'], { isDynamic: true, zIndex: 4 });
  const whole = await put(`${resources.datasource}?overwriteParameters=true`, {
    typeProperties: { zIndex: 1 },
  });
  assert.deepEqual(whole['typeProperties'], { zIndex: 1 });

  const optionsOf = (reply: Record<string, unknown>) =>
    (reply['parameters'] as { options: Record<string, unknown> }).options;
  await put(resources.task, { parameters: { options: { tiling: { maxZoom: 5, minZoom: 1 } } } });
  const changed = await put(resources.task, { parameters: { options: { tiling: { maxZoom: 6 } } } });
  assert.deepEqual(optionsOf(changed)['tiling'], { maxZoom: 6, minZoom: 1 });
  const { parameters } = tilingTask(bucketId);
  const fresh = await put(`${resources.task}?overwriteParameters=true`, { parameters });
  assert.deepEqual(fresh['parameters'], parameters);
});
