import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { InjectOptions } from 'fastify';
import { projectWithCities, tilingTask } from '../jobs/tasks/testing.ts';
import { digestOf, startService } from '../testing.ts';

const service = await startService();
const { app, admin, adminToken, context, user } = service;
const authorization = `Bearer ${adminToken}`;
const body = { name: 'P', description: '', bbox: [0, 0, 1, 1] };
const project = await admin.postProject({ body });
const post = (payload: string | Buffer | object, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/project',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    payload,
  });

test('a problem has the members of RFC 9457, a stable code, and a sentence for existing clients', async () => {
  const reply = await post({ ...body, bbox: [0, 0, 1], colour: 'red' });
  assert.equal(reply.statusCode, 400);
  assert.match(String(reply.headers['content-type']), /^application\/problem\+json/);
  const problem = reply.json<Record<string, unknown>>();
  assert.deepEqual(Object.keys(problem), [
    'type',
    'title',
    'status',
    'detail',
    'instance',
    'code',
    'reason',
    'requestId',
    'errors',
  ]);
  assert.equal(problem['code'], 'invalid');
  assert.equal(problem['instance'], '/api/v1/project');
  assert.equal(problem['requestId'], reply.headers['x-request-id']);
  assert.equal(problem['reason'], problem['detail']);
});

test('the order of refusal: the token, then what the path names, then the body', async () => {
  const eva = await user('eva');
  await admin.putProjectUser({
    params: { projectId: project._id, userId: eva.id },
    body: { roleId: 'projectMember' },
  });
  const broken: InjectOptions = {
    method: 'PUT',
    payload: '{ broken',
    headers: { 'content-type': 'text/nonsense' },
  };
  const status = async (url: string, token?: string) => {
    const headers = { ...broken.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    return (await app.inject({ ...broken, url, headers })).statusCode;
  };
  assert.equal(await status('/api/v1/project/nowhere'), 401);
  assert.equal(await status('/api/v1/project/nowhere', adminToken), 404);
  assert.equal(await status(`/api/v1/project/${project._id}`, eva.token), 403);
  assert.equal(await status(`/api/v1/project/${project._id}`, adminToken), 415);
});

test('values that the database would change or reject are refused with a pointer', async () => {
  const before = await digestOf(context);
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const withProperties = (json: string) =>
    `{"name":"P","description":"","bbox":[0,0,1,1],"properties":${json}}`;
  const cases: [string | Buffer, RegExp][] = [
    ['', /body is required/],
    ['{', /not valid JSON/],
    [Buffer.from([0x22, 0xff, 0x22]), /not valid UTF-8/],
    ['{"name":"a\\u0000b","description":"","bbox":[0,0,1,1]}', /\/name: .*NUL/],
    ['{"name":"a\\ud800","description":"","bbox":[0,0,1,1]}', /\/name: .*surrogate/],
    ['{"name":"P","description":"","bbox":[0,0,1e400,1]}', /\/bbox\/2: .*too large/],
    [withProperties('{"__proto__":{"admin":true}}'), /__proto__/],
    [withProperties(nested(64)), /deeper than 64/],
    [withProperties(nested(20_000)), /deeper than 64/],
    ['['.repeat(60_000), /deeper than 64/],
    ['[]', /body: must be object/],
    ['null', /body: must be object/],
    ['"text"', /body: must be object/],
  ];
  for (const [payload, detail] of cases) {
    const reply = await post(payload);
    assert.equal(reply.statusCode, 400, String(payload).slice(0, 80));
    assert.match(reply.json<{ detail: string }>().detail, detail);
  }
  const large = await post(withProperties(JSON.stringify({ text: 'x'.repeat(1_048_576) })));
  assert.equal(large.statusCode, 413);
  const huge = await post(withProperties(JSON.stringify({ text: 'x'.repeat(9_000_000) })));
  assert.equal(huge.statusCode, 413);
  assert.equal(await digestOf(context), before);
});

test('megabytes of a request without a token are not read', async () => {
  const payload = `{"username":"a","password":"b","x":"${'x'.repeat(70_000)}"}`;
  const headers = { 'content-type': 'application/json' };
  for (const path of ['login', 'session', 'runner/enrol']) {
    const reply = await app.inject({ method: 'POST', url: `/api/v1/${path}`, headers, payload });
    assert.equal(reply.statusCode, 413, path);
  }
});

test('free-form objects keep every key, in order', async () => {
  const properties = { z: 1, a: { y: [1, 2.5, -0.1, 1e21, null, true], x: '' }, ü: '👩‍👩‍👧', '': 'empty key' };
  const created = await admin.postProject({ body: { ...body, properties } });
  const again = await admin.getProject({ params: { projectId: created._id } });
  assert.equal(JSON.stringify(again.properties), JSON.stringify(properties));
});

test('a trailing slash means the same path, and an unknown path is a problem too', async () => {
  const headers = { authorization };
  const url = `/api/v1/project/${project._id}`;
  const plain = await app.inject({ url, headers });
  assert.equal((await app.inject({ url: `${url}/`, headers })).body, plain.body);
  const unknown = await app.inject({ url: '/api/v1/nothing', headers });
  assert.equal(unknown.statusCode, 404);
  assert.equal(unknown.json<{ code: string }>().code, 'not_found');
});

test('a method that a path does not take is refused with those that it takes', async () => {
  const headers = { authorization };
  for (const [method, path, allow] of [
    ['PATCH', `/api/v1/project/${project._id}`, 'DELETE, GET, HEAD, PUT'],
    ['DELETE', '/api/v1/projects/', 'GET, HEAD'],
    ['GET', '/api/v1/project', 'POST'],
  ] as const) {
    const reply = await app.inject({ method, url: `${path}?limit=1`, headers });
    assert.deepEqual([reply.statusCode, reply.headers['allow']], [405, allow], path);
    assert.equal(reply.json<{ code: string }>().code, 'method_not_allowed');
  }
  for (const path of ['/api/v1/project/a/b/c/d', '/api/v1/', '/api', '/data'])
    assert.equal((await app.inject({ method: 'PATCH', url: path, headers })).statusCode, 404, path);
});

test('the reply to a POST names the path of what it has created', async () => {
  const created = await app.inject({
    method: 'POST',
    url: '/api/v1/project/?',
    headers: { authorization },
    payload: { ...body, name: 'Located' },
  });
  const { location } = created.headers;
  const found = await app.inject({ url: String(location), headers: { authorization } });
  assert.deepEqual(found.json(), created.json());
  const again = await app.inject({
    method: 'PUT',
    url: String(location),
    headers: { authorization },
    payload: {},
  });
  assert.equal(again.headers['location'], undefined);
  await app.inject({ method: 'DELETE', url: String(location), headers: { authorization } });
});

test('an unchanged resource is answered by 304, and a list names its neighbours', async () => {
  const url = `/api/v1/project/${project._id}`;
  const first = await app.inject({ url, headers: { authorization } });
  const etag = String(first.headers.etag);
  assert.match(etag, /^"\d+"$/);
  const second = await app.inject({ url, headers: { authorization, 'if-none-match': etag } });
  assert.deepEqual([second.statusCode, second.body], [304, '']);
  const list = await app.inject({ url: '/api/v1/projects?limit=1&name=P', headers: { authorization } });
  assert.equal(
    list.headers.link,
    '</api/v1/projects?limit=1&name=P&page=0>; rel="first", </api/v1/projects?limit=1&name=P&page=1>; rel="next", </api/v1/projects?limit=1&name=P&page=1>; rel="last"',
  );
  const beyond = await admin.getProjects({ query: { page: 1000 } });
  assert.deepEqual([beyond.items.length, beyond.totalCount], [0, 2]);
});

test('a task is sent whole although its revision is the same, as its last job is another one', async () => {
  const { projectId, bucketId } = await projectWithCities(service);
  const params = { projectId };
  const task = await admin.postProjectTask({ params, body: tilingTask(bucketId) });
  const url = `/api/v1/project/${projectId}/task/${task._id}`;
  const first = await app.inject({ url, headers: { authorization } });
  const { _id: jobId } = await admin.postProjectTaskRun({ params: { projectId, taskId: task._id } });
  const etag = String(first.headers.etag);
  const second = await app.inject({ url, headers: { authorization, 'if-none-match': etag } });
  assert.deepEqual([second.statusCode, second.headers.etag], [200, etag]);
  assert.equal(second.json<{ lastJobId: string }>().lastJobId, jobId);
});

test('a DELETE with If-Match removes only the revision that it names', async () => {
  const { _id: projectId } = await admin.postProject({ body });
  const inProject = { projectId };
  const { _id: bucketId } = await admin.postProjectDataBucket({ params: inProject, body: { name: 'b' } });
  const { _id: moduleId } = await admin.postProjectModule({ params: inProject, body: { name: 'm' } });
  const { _id: appId } = await admin.postProjectApp({ params: inProject, body: { name: 'a' } });
  const { id: userId } = await user('una');
  const base = `/api/v1/project/${projectId}`;
  const urls = [
    `/api/v1/user/${userId}`,
    `${base}/app/${appId}`,
    `${base}/module/${moduleId}`,
    `${base}/data-bucket/${bucketId}`,
    base,
  ];
  for (const url of urls) {
    const send = (method: 'PUT' | 'DELETE', headers = {}, payload?: object) =>
      app.inject({ method, url, headers: { authorization, ...headers }, ...(payload && { payload }) });
    const field = url.includes('/user/') ? 'username' : 'name';
    const before = String((await send('PUT', {}, { [field]: 'One' })).headers['etag']);
    const current = String((await send('PUT', {}, { [field]: 'Two' })).headers['etag']);
    assert.equal((await send('DELETE', { 'if-match': before })).statusCode, 412, url);
    assert.equal((await send('DELETE', { 'if-match': current })).statusCode, 200, url);
  }
});

test('bad numbers, unknown names and repeated values of a query are refused, never coerced into something else', async () => {
  for (const query of [
    'limit=0',
    'limit=1001',
    'limit=x',
    'limit=1.5',
    'page=-1',
    'sort=up',
    'orderBy=password',
    'limit=1&limit=2',
    'createdAt=yesterday',
    'bbox=1,2,3',
    'bbox=0,80,1,-80',
    'purge=1',
  ]) {
    const reply = await app.inject({ url: `/api/v1/projects?${query}`, headers: { authorization } });
    assert.equal(reply.statusCode, 400, query);
    assert.equal(reply.json<{ errors: unknown[] }>().errors.length, 1, query);
  }
});

test('two simultaneous requests with one Idempotency-Key have one effect', async () => {
  const headers = { 'idempotency-key': 'at-once' };
  const named = { ...body, name: 'Once' };
  const replies = await Promise.all(Array.from({ length: 8 }, () => post(named, headers)));
  const created = replies.filter((reply) => reply.statusCode === 201);
  assert.ok(created.length >= 1);
  assert.ok(replies.every(({ statusCode }) => statusCode === 201 || statusCode === 409));
  assert.equal(new Set(created.map((reply) => reply.body)).size, 1);
  assert.equal((await admin.getProjects({ query: { name: ['Once'] } })).totalCount, 1);
});

test('an Idempotency-Key does not outlive the permission, and belongs to one caller', async () => {
  const mia = await user('mia');
  await admin.putIamSuperUser({ params: { userId: mia.id } });
  const headers = { 'idempotency-key': 'of-mia' };
  await mia.client.postProject({ body, headers });
  await admin.postProject({ body: { ...body, name: 'Of the admin' }, headers });
  await admin.deleteIamSuperUser({ params: { userId: mia.id } });
  await assert.rejects(mia.client.postProject({ body, headers }), { status: 403 });
});

test('bodies of an Idempotency-Key are not compared by a fast hash of a password', async () => {
  const headers = { 'idempotency-key': 'of-uwe' };
  const uwe = { username: 'uwe', password: 'password of uwe' };
  const first = await admin.postUser({ body: uwe, headers });
  assert.deepEqual(await admin.postUser({ body: uwe, headers }), first);
  const other = admin.postUser({ body: { ...uwe, password: 'another password' }, headers });
  await assert.rejects(other, { status: 422, code: 'unprocessable' });
  const { body_hash } = await context.db
    .selectFrom('idempotent_request')
    .select('body_hash')
    .where('key', '=', 'of-uwe')
    .executeTakeFirstOrThrow();
  const fast = createHash('sha256').update(JSON.stringify(uwe)).digest();
  assert.notDeepEqual(body_hash, fast);
});

test('a request that is not HTTP gets an error, and the service continues', async () => {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  for (const bytes of [
    'GET / HTTP/1.1\r\nhost: a\r\nx: \0\r\n\r\n',
    '\x16\x03\x01\x02\0',
    'GET http://[ HTTP/1.1\r\n\r\n',
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ncontent-length: 5\r\n\r\nabcd',
    'POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding : chunked\r\n\r\n0\r\n\r\n',
  ]) {
    const reply = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString('latin1')));
      socket.on('close', () => resolve(text));
      socket.on('error', () => resolve(text));
    });
    assert.match(reply, /^HTTP\/1\.1 4\d\d /);
  }
  assert.equal((await fetch(`http://127.0.0.1:${port}/livez`)).status, 200);
});
