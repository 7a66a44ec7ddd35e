import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiEndpoints } from '@platen/contract/api';
import { apiPrefix, paramsOf, type Endpoint } from '@platen/contract/endpoint';
import { write } from '../../files/revisions/testing.ts';
import { adminPassword, startService } from '../../testing.ts';

const day = 24 * 3_600_000;
let clockMs = 0;
const now = () => new Date(Date.now() + clockMs);
const service = await startService({ now });
const { admin, adminId, app, as, context } = service;
const { _id: projectId, defaultDataBucketId: dataBucketId } = await admin.postProject({
  body: { name: 'Harbour', description: '', bbox: [9, 53, 10, 54] },
});
const { _id: otherId, defaultDataBucketId: otherBucketId } = await admin.postProject({
  body: { name: 'Other', description: '', bbox: [9, 53, 10, 54] },
});
const params = { projectId };
const place = { projectId, dataBucketId };

interface TokenRequest {
  readonly scope?: 'read' | 'write';
  readonly projectId?: string;
  readonly lifetimeDays?: number;
}

const personal = (given: TokenRequest = {}) =>
  admin.postUserAccessToken({ body: { name: 'Nightly', ...given } });
const ofProject = (given: TokenRequest & { roleId?: 'projectMember' | 'projectManager' } = {}) =>
  admin.postProjectAccessToken({ params, body: { name: 'Upload', roleId: 'projectManager', ...given } });

test('a token for reading reads, and changes nothing', async () => {
  const { token, scope, expires, createdBy, lastUsedAt } = await personal();
  assert.deepEqual([scope, createdBy, lastUsedAt], ['read', adminId, undefined]);
  assert.equal(Math.round((Date.parse(expires!) - now().getTime()) / day), 90);
  const reader = as(token);
  assert.equal((await reader.getUserWhoami())._id, adminId);
  assert.ok((await reader.getProjects({ query: {} })).totalCount >= 2);
  await reader.getProjectDataBuckets({ params, query: {} });
  await assert.rejects(reader.putProject({ params, body: { name: 'x' } }), { status: 403 });
  await assert.rejects(write(reader, place, { 'a.txt': 'a' }), { status: 403 });
  const [shown] = (await admin.getUserAccessTokens({ query: {} })).items;
  assert.equal(shown!.name, 'Nightly');
  assert.ok(shown!.lastUsedAt, 'its use is recorded');
  assert.equal(JSON.stringify(shown).includes(token), false);
});

test('a token for one project does not know of others', async () => {
  const { token } = await personal({ scope: 'write', projectId });
  const limited = as(token);
  await write(limited, place, { 'a.txt': 'a' });
  const { items } = await limited.getProjects({ query: {} });
  assert.deepEqual(
    items.map(({ _id }) => _id),
    [projectId],
  );
  await assert.rejects(limited.getProject({ params: { projectId: otherId } }), { status: 404 });
  await assert.rejects(
    write(limited, { projectId: otherId, dataBucketId: otherBucketId }, { 'a.txt': 'a' }),
    { status: 404 },
  );
  await assert.rejects(limited.getUserProfiles({ query: {} }), { status: 403 });
  await assert.rejects(limited.getSearch({ query: { text: 'harb' } }), { status: 403 });
  await assert.rejects(personal({ projectId: 'absent' }), { status: 422 });
});

test('the data of other projects stays closed to the token of a project', async () => {
  await write(admin, place, { 'data/own.txt': 'own' });
  await write(admin, { projectId: otherId, dataBucketId: otherBucketId }, { 'data/other.txt': 'other' });
  const register = async (inProject: string, bucketId: string, key: string) => {
    const sourceProperties = { type: 'internal' as const, dataBucketId: bucketId, dataBucketKey: key };
    const body = {
      name: key,
      type: 'generic' as const,
      sourceProperties,
      typeProperties: {},
      properties: {},
    };
    return (await admin.postProjectDatasource({ params: { projectId: inProject }, body })).uri;
  };
  const own = await register(projectId, dataBucketId, 'data/own.txt');
  const other = await register(otherId, otherBucketId, 'data/other.txt');
  const { _id: id, token } = await personal({ projectId });
  const { token: unlimited } = await personal();
  const read = async (url: string, secret: string) =>
    (await app.inject({ url, headers: { authorization: `Bearer ${secret}` } })).statusCode;
  assert.deepEqual([await read(own, token), await read(other, token)], [200, 404]);
  const used = (await admin.getUserAccessTokens({ query: {} })).items.find(({ _id }) => _id === id);
  assert.ok(used!.lastUsedAt, 'reading data is a use');
  assert.equal(await read(`/data/absent/x`, token), 404);
  assert.deepEqual([await read(own, unlimited), await read(other, unlimited)], [200, 200]);
});

test('a project’s token belongs to no person', async () => {
  const { token, userId, roleId, createdBy } = await ofProject({ scope: 'write' });
  assert.deepEqual([roleId, createdBy], ['projectManager', adminId]);
  const robot = as(token);
  assert.equal((await robot.getUserWhoami())._id, userId);
  const { createdBy: by } = await robot.postProjectModule({
    params,
    body: { name: 'Made by a script', config: {} } as never,
  });
  assert.equal(by, userId);
  for (const list of [
    await admin.getUsers({ query: { limit: 1000 } }),
    await admin.getUserProfiles({ query: { limit: 1000 } }),
    await admin.getProjectUsers({ params, query: {} }),
  ])
    assert.ok(list.items.every(({ _id }) => _id !== userId));
  await assert.rejects(admin.deleteProjectUser({ params: { projectId, userId }, query: {} }), {
    status: 404,
  });
  const { username } = await robot.getUserWhoami();
  const credentials = { username, password: '-' };
  await assert.rejects(as('').postLogin({ body: credentials }), { status: 401 });
  await assert.rejects(admin.getUser({ params: { userId } }), { status: 404 });
  await assert.rejects(
    admin.putProjectUser({ params: { projectId: otherId, userId }, body: { roleId: 'projectMember' } }),
    { status: 404 },
  );
  const member = as((await ofProject({ scope: 'write', roleId: 'projectMember' })).token);
  await assert.rejects(write(member, place, { 'b.txt': 'b' }), { status: 403 });
});

test('a revoked or expired token ends at once, and what it has created keeps its rights', async () => {
  const one = await personal({ lifetimeDays: 1 });
  const two = await ofProject({ scope: 'write' });
  await as(two.token).getProject({ params });
  await admin.deleteProjectAccessToken({ params: { ...params, accessTokenId: two._id } });
  await assert.rejects(as(two.token).getProject({ params }), { status: 401 });
  await assert.rejects(admin.deleteProjectAccessToken({ params: { ...params, accessTokenId: two._id } }), {
    status: 404,
  });
  const membership = context.db.selectFrom('membership').selectAll().where('user_id', '=', two.userId);
  assert.equal((await membership.execute()).length, 1);
  const names = await admin.getProjectAccessTokenNames({ params, query: { limit: 1000 } });
  const named = names.items.find(({ userId }) => userId === two.userId);
  assert.deepEqual(named, { userId: two.userId, name: two.name }, 'people can still read who made something');
  const three = await personal();
  await admin.deleteUserAccessToken({ params: { accessTokenId: three._id } });
  await assert.rejects(as(three.token).getUserWhoami(), { status: 401 });
  clockMs = 2 * day;
  await assert.rejects(as(one.token).getUserWhoami(), { status: 401 });
  clockMs = 0;
});

test('access tokens manage no people, tokens, passwords, sessions, nor the service', async () => {
  const secrets = [(await personal({ scope: 'write' })).token, (await ofProject({ scope: 'write' })).token];
  const allowed: string[] = [];
  for (const [name, endpoint] of Object.entries<Endpoint>(apiEndpoints)) {
    const { access, method, path } = endpoint;
    const managesAccess =
      typeof access === 'object' && ['grantRole', 'revokeRole'].includes(access.permission);
    const isInProject = path.includes(':projectId') && typeof access === 'object';
    if (access === 'public' || access === 'runner' || access === 'job' || (isInProject && !managesAccess))
      continue;
    const url = paramsOf(path).reduce(
      (now, param) => now.replace(`:${param}`, param === 'projectId' ? projectId : 'x'),
      apiPrefix + path,
    );
    const statuses = await Promise.all(
      secrets.map(async (secret) => {
        const headers = { authorization: `Bearer ${secret}` };
        return (await app.inject({ method, url: `${url}?unknown=1`, headers })).statusCode;
      }),
    );
    if (statuses.every((status) => status === 403)) continue;
    allowed.push(`${name} ${statuses.join(' ')}`);
  }
  // each is refused by its unknown parameter only
  assert.deepEqual(allowed.toSorted(), [
    'getIamRole 400 400',
    'getIamRoles 400 400',
    'getJobType 400 400',
    'getJobTypes 400 400',
    'getMapPlugin 400 400',
    'getMapPlugins 400 400',
    'getMapVersions 400 400',
    'getProjects 400 400',
    'getSearch 400 403',
    'getUserProfiles 400 403',
    'getUserWhoami 400 400',
    'getUsers 400 403',
    'postSchedulePreview 400 400',
  ]);
});

test('a token needs the password unless one has just signed in, and ends with it', async () => {
  const { id: userId, client } = await service.user('eva');
  const fresh = await client.postUserAccessToken({ body: { name: 'Fresh' } });
  clockMs = 2 * 3_600_000;
  try {
    const body = { name: 'Late' };
    await assert.rejects(client.postUserAccessToken({ body }), { status: 400, message: /password/ });
    const wrong = { ...body, oldPassword: 'wrong' };
    await assert.rejects(client.postUserAccessToken({ body: wrong }), { status: 403 });
    await admin.putProjectUser({ params: { projectId, userId }, body: { roleId: 'projectManager' } });
    const ofHarbour = { ...body, roleId: 'projectMember' as const };
    await assert.rejects(client.postProjectAccessToken({ params, body: ofHarbour }), { status: 400 });
    await as(fresh.token).getUserWhoami();
    await admin.putUserPassword({ params: { userId }, body: { password: 'four blue boats' } });
    await assert.rejects(as(fresh.token).getUserWhoami(), { status: 401 });
  } finally {
    clockMs = 0;
  }
});

test('lifetimes, limits and lists', async () => {
  await assert.rejects(personal({ lifetimeDays: 0 }), { status: 400, message: /no tokens without an end/ });
  await assert.rejects(personal({ lifetimeDays: 366 }), { status: 400, message: /at most 365 days/ });
  const settings = context.settings as { maxTokenDays: number };
  settings.maxTokenDays = 0;
  try {
    const endless = await personal({ lifetimeDays: 0 });
    assert.equal(endless.expires, undefined);
    clockMs = 3000 * day;
    await as(endless.token).getUserWhoami();
  } finally {
    clockMs = 0;
    settings.maxTokenDays = 365;
  }
});

test('logins and access tokens are listed apart, and signing out elsewhere keeps scripts running', async () => {
  const { token } = await personal();
  const { token: login } = await as('').postLogin({ body: { username: 'admin', password: adminPassword } });
  const { items } = await as(login).getUserSessions({ query: { limit: 1000 } });
  assert.ok(items.every(({ kind }) => kind === 'bearer' || kind === 'session'));
  await as(token).getUserWhoami();
});
