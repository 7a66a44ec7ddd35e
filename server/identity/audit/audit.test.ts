import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { passwordOf, startService } from '../../testing.ts';
import { allowEnrolment } from '../../jobs/runners/enrolment-store.ts';
import { hashSecret } from '../../base/secrets/bearer-secrets.ts';

const service = await startService();
const { admin, adminToken, app, as, context, user } = service;
const mona = await user('mona');
const outsider = await user('otis');
const { _id: projectId, defaultDataBucketId: dataBucketId } = await admin.postProject({
  body: { name: 'Trees', description: '', bbox: [0, 0, 1, 1] },
  query: { managerId: mona.id },
});
const bucket = { projectId, dataBucketId };

async function entriesOf(action: string) {
  return (await admin.getAudit({ query: { action: [action], limit: 1000 } })).items;
}

async function upload(name: string): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob(['{"type":"FeatureCollection","features":[]}']), name);
  await mona.client.postProjectDataBucketUpload({ params: bucket, body: form });
}

test('logins are recorded with address and program, failed ones with the name as it was typed', async () => {
  const headers = { 'user-agent': `Surveyor/1.0 ${'x'.repeat(1000)}` };
  const signIn = (username: string, password: string) =>
    app.inject({ method: 'POST', url: '/api/v1/login', headers, payload: { username, password } });
  await user('vera');
  await signIn('vera', passwordOf('vera'));
  const [login] = await entriesOf('login');
  assert.deepEqual(login!.detail, { kind: 'bearer' });
  await signIn(`nobody ${'y'.repeat(200)}`, 'secret guess');
  for (let i = 0; i < 12; i++) await signIn('mona', 'secret guess');
  const failed = await entriesOf('login.failed');
  assert.equal(failed.length, 2);
  const [ofMona, ofNobody] = failed.toSorted((one) => (one.targetId === mona.id ? -1 : 1));
  assert.equal(ofMona!.targetId, mona.id);
  assert.equal(ofMona!.userAgent.length, 256);
  assert.equal(ofMona!.address, '127.0.0.1');
  assert.match(String(ofNobody!.detail['username']), /^nobody y{57}$/);
  const [throttled] = await entriesOf('login.throttle');
  assert.equal(throttled!.targetId, mona.id);
  await context.repeatedAudit.flush(context.now());
  const counted = (await entriesOf('login.failed')).flatMap(({ detail }) => detail['repeated'] ?? []);
  assert.deepEqual(
    counted.map((one) => (one as { count: number }).count),
    [9],
  );
  const everything = await admin.getAudit({ query: { limit: 1000 } });
  assert.ok(!JSON.stringify(everything).includes('secret guess'));
});

test('refused accesses are recorded once with who and what, and then counted', async () => {
  const { repeatedAudit, now } = context;
  for (let i = 0; i < 5; i++) await assert.rejects(outsider.client.getAudit(), { status: 403 });
  const rename = { params: { userId: outsider.id }, body: { username: 'boss' } };
  await assert.rejects(outsider.client.putUser(rename), { status: 403 });
  const first = await entriesOf('access.refused');
  assert.deepEqual(
    first.map(({ actorId, targetId }) => `${actorId} ${targetId}`).toSorted(),
    [`${outsider.id} GET /api/v1/audit`, `${outsider.id} PUT /api/v1/user/:userId`].toSorted(),
  );
  assert.equal(first[0]!.detail['path'] !== undefined, true);
  await repeatedAudit.flush(now());
  const repeated = (await entriesOf('access.refused')).find(({ detail }) => 'repeated' in detail);
  assert.equal((repeated!.detail['repeated'] as { count: number }).count, 4);
});

test('strangers with ever new addresses and names add a bounded number of entries', async () => {
  const before = (await entriesOf('login.failed')).length;
  for (let i = 0; i < 130; i++) {
    await app.inject({
      method: 'POST',
      url: '/api/v1/login',
      remoteAddress: `198.51.100.${i}`,
      payload: { username: `name ${i}`, password: 'a guess' },
    });
  }
  assert.equal((await entriesOf('login.failed')).length - before, 100);
  await context.repeatedAudit.flush(context.now());
  const omitted = (await entriesOf('login.failed')).flatMap(({ detail }) => detail['omitted'] ?? []);
  assert.deepEqual(omitted, [30]);
});

test('a user with refused requests at ever new targets does not hide those of others', async () => {
  const { repeatedAudit, now } = context;
  const refuse = (userId: string, targetId: string) =>
    repeatedAudit.record({
      now: now(),
      caller: { userId, address: '192.0.2.1' },
      action: 'test.refused',
      targetId,
    });
  for (let i = 0; i < 120; i++) await refuse('loud', `target ${i}`);
  await refuse('quiet', 'one');
  await repeatedAudit.flush(now());
  const entries = await entriesOf('test.refused');
  assert.equal(entries.filter(({ actorId }) => actorId === 'quiet').length, 1);
  const omitted = entries.filter(({ detail }) => 'omitted' in detail);
  assert.deepEqual(
    omitted.map(({ actorId, detail }) => [actorId, detail['omitted']]),
    [['loud', 20]],
  );
});

test('an entry that could not be stored is not counted as one that was', async () => {
  const { repeatedAudit, now, db } = context;
  const lose = () =>
    repeatedAudit.record({
      now: now(),
      caller: { userId: 'unlucky', address: '192.0.2.1' },
      action: 'test.lost',
      targetId: 'one',
    });
  await sql`alter table audit_entry rename to lost_entry`.execute(db);
  await lose();
  await sql`alter table lost_entry rename to audit_entry`.execute(db);
  assert.deepEqual(await entriesOf('test.lost'), []);
  await lose();
  assert.equal((await entriesOf('test.lost')).length, 1);
});

test('deletions, exports, settings and rights are recorded with what they were before', async () => {
  await upload('a.geojson');
  await mona.client.deleteProjectDataBucketObject({ params: bucket, query: { key: 'a.geojson' } });
  const [deleted] = await entriesOf('object.delete');
  assert.deepEqual(
    [deleted!.actorId, deleted!.projectId, deleted!.targetId, deleted!.address],
    [mona.id, projectId, dataBucketId, '127.0.0.1'],
  );
  assert.deepEqual(deleted!.detail, { name: 'a.geojson' });
  await mona.client.deleteProjectTrash({ params: { projectId } });
  assert.deepEqual((await entriesOf('trash.empty'))[0]!.detail, { count: 1 });

  await upload('b.geojson');
  const url = `/api/v1/project/${projectId}/data-bucket/${dataBucketId}/download-file?key=b.geojson`;
  for (let i = 0; i < 3; i++) {
    const headers = { authorization: `Bearer ${mona.token}`, range: `bytes=${i}-${i}` };
    assert.equal((await app.inject({ url, headers })).statusCode, 206);
  }
  const exports = await entriesOf('data.export');
  assert.deepEqual(
    exports.map(({ actorId, targetId, detail }) => [actorId, targetId, detail['key']]),
    [[mona.id, dataBucketId, 'b.geojson']],
  );

  await admin.putProject({ params: { projectId }, body: { quota: { bytes: 1000 }, name: 'Trees' } });
  const [changed] = await entriesOf('project.change');
  assert.deepEqual(changed!.detail, { quota: { from: {}, to: { bytes: 1000 } } });
  await admin.putAdminSettings({ body: { name: 'City maps' } });
  assert.equal((await entriesOf('service.changeSettings'))[0]!.detail['name']?.constructor, Object);
  await admin.putUser({ params: { userId: outsider.id }, body: { isAdmin: true } });
  assert.deepEqual((await entriesOf('user.change'))[0]!.detail, { isAdmin: { from: false, to: true } });
  const member = { projectId, userId: outsider.id };
  await admin.putProjectUser({ params: member, body: { roleId: 'projectMember' } });
  await admin.putProjectUser({ params: member, body: { roleId: 'projectManager' } });
  assert.deepEqual((await entriesOf('member.assign')).map(({ detail }) => detail['before']).filter(Boolean), [
    'projectMember',
  ]);
});

test('a change of a user that changes nothing adds no entry', async () => {
  const ella = await user('ella');
  const change = (body: { username?: string; email?: string }) =>
    ella.client.putUser({ params: { userId: ella.id }, body });
  for (const body of [{}, { username: 'ella' }]) await change(body);
  await change({ email: 'ella@example.org' });
  const entries = (await entriesOf('user.change')).filter(({ targetId }) => targetId === ella.id);
  assert.deepEqual(
    entries.map(({ detail }) => detail),
    [{ email: { from: '', to: 'ella@example.org' } }],
  );
});

test('runners that enrol, and those whose token is refused, are recorded without the token', async () => {
  const enrolmentToken = 'a token of at least 24 letters';
  const runner = { name: 'attic', labels: [], version: '' };
  await allowEnrolment(context.db, hashSecret(enrolmentToken));
  const { runnerId } = await as().postRunnerEnrol({ body: { ...runner, enrolmentToken } });
  const wrong = as().postRunnerEnrol({ body: { ...runner, enrolmentToken: 'a wrong token of letters' } });
  await assert.rejects(wrong, { status: 401 });
  assert.equal((await entriesOf('runner.enrol'))[0]!.targetId, runnerId);
  const [refused] = await entriesOf('runner.refuse');
  assert.deepEqual(refused!.detail, { name: 'attic', labels: [] });
});

test('super users download the log as JSON lines and CSV, which spreadsheets do not run', async () => {
  const payload = { username: '=HYPERLINK("x")', password: 'a guess' };
  const headers = { 'user-agent': '=1+1,"quoted"' };
  await app.inject({ method: 'POST', url: '/api/v1/login', headers, payload, remoteAddress: '192.0.2.99' });
  const get = (format: string, token = adminToken) =>
    app.inject({
      url: `/api/v1/audit/export?format=${format}`,
      headers: { authorization: `Bearer ${token}` },
    });
  const lines = (await get('ndjson')).body.trimEnd().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as { _id: string; action: string });
  const { totalCount } = await admin.getAudit();
  assert.equal(entries.length, totalCount);
  assert.equal(new Set(entries.map(({ _id }) => _id)).size, entries.length);
  assert.ok(entries.some(({ action }) => action === 'audit.export'));
  const csv = await get('csv');
  assert.match(String(csv.headers['content-disposition']), /attachment; filename="audit.csv"/);
  assert.match(csv.body, /^_id,createdAt,actorId,address,userAgent,action,projectId,targetId,detail\r\n/);
  assert.match(csv.body, /,192\.0\.2\.99,"'=1\+1,""quoted""",login\.failed,,,"\{""kind""/);
  assert.equal((await get('csv', mona.token)).statusCode, 403);
  const some = await app.inject({
    url: '/api/v1/audit/export?format=ndjson&action=runner.enrol',
    headers: { authorization: `Bearer ${adminToken}` },
  });
  assert.equal(some.body.trimEnd().split('\n').length, 1);
  const broken = await app.inject({
    url: '/api/v1/audit/export?format=csv&createdAt=yesterday',
    headers: { authorization: `Bearer ${adminToken}` },
  });
  assert.deepEqual([broken.statusCode, broken.json<{ code: string }>().code], [400, 'invalid']);
});

test('a download of many entries is read in chunks, each of them once', async () => {
  await sql`insert into audit_entry (id, created_at, actor_id, address, action, project_id, target_id, detail)
    select 'many ' || n, '2020-01-01'::timestamptz + (n / 7) * interval '1 second', '', '', 'test.many', '', '', '{}'
    from generate_series(1, 2500) n`.execute(context.db);
  const reply = await app.inject({
    url: '/api/v1/audit/export?format=ndjson&action=test.many',
    headers: { authorization: `Bearer ${adminToken}` },
  });
  const ids = reply.body
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { _id: string })._id);
  assert.equal(new Set(ids).size, 2500);
  assert.equal(ids.length, 2500);
});

test('the clean-up removes entries after their time; the database keeps those of the last 30 days', async () => {
  await admin.postAdminCleanup();
  assert.equal((await entriesOf('test.many')).length, 0);
  assert.ok((await entriesOf('login')).length > 0);
  await assert.rejects(sql`delete from audit_entry`.execute(context.db), /append-only/);
  await assert.rejects(sql`truncate audit_entry`.execute(context.db), /append-only/);
  await admin.deleteProject({ params: { projectId } });
  assert.ok((await entriesOf('object.delete')).length > 0);
});
