import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestFailed } from '@platen/client/client';
import { sql } from 'kysely';
import { sampleModule } from '../modules/testing.ts';
import { startService } from '../../testing.ts';

const service = await startService();
const { admin, context } = service;
const max = await service.user('max');
const mia = await service.user('mia');
const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
const { _id: projectId } = await admin.postProject({ body, query: { managerId: max.id } });
await max.client.putProjectUser({ params: { projectId, userId: mia.id }, body: { roleId: 'projectMember' } });
const newApp = async (who = max) => {
  const made = await who.client.postProjectApp({ params: { projectId }, body: { name: 'Map' } });
  return { projectId, appId: made._id };
};
const params = await newApp();
const link = (shareLinkId: string) => ({ params: { ...params, shareLinkId } });

test('a share link has an address once, and never again', async () => {
  const made = await max.client.postProjectAppShareLink({
    params,
    body: {
      name: 'For the council',
      password: 'correct horse',
      maxUses: 3,
      allowedOrigins: ['https://x.test'],
    },
  });
  assert.match(made.url, /^\/share\/[\w-]{43}\/$/);
  const { url, ...rest } = made;
  const { createdAt, updatedAt, _id, ...fields } = rest;
  assert.deepEqual(fields, {
    ...params,
    name: 'For the council',
    shows: 'current',
    allowedOrigins: ['https://x.test'],
    maxUses: 3,
    hasPassword: true,
    useCount: 0,
    hasEnded: false,
    revision: 1,
    createdBy: max.id,
    updatedBy: max.id,
  });
  assert.equal(createdAt, updatedAt);
  assert.deepEqual(await max.client.getProjectAppShareLink(link(_id)), rest);
  const { items, totalCount } = await max.client.getProjectAppShareLinks({ params });
  assert.deepEqual([items, totalCount], [[rest], 1]);
  assert.deepEqual(
    (await max.client.getProjectAppShareLinks({ params, query: { name: ['none'] } })).items,
    [],
  );
  // put back as it was read
  const changed = await max.client.putProjectAppShareLink({
    ...link(_id),
    body: Object.assign({ url }, rest),
  });
  assert.deepEqual(changed, rest);
  assert.equal(changed.url, undefined);
  await max.client.deleteProjectAppShareLink(link(_id));
  await assert.rejects(max.client.getProjectAppShareLink(link(_id)), { status: 404 });
  await assert.rejects(max.client.deleteProjectAppShareLink(link(_id)), { status: 404 });
});

test('neither the secret nor the password is in the database or the audit log', async () => {
  const made = await max.client.postProjectAppShareLink({
    params,
    body: { name: 'Secret', password: 'Tr0ub4dor&3' },
  });
  const [, secret = ''] = /\/share\/([\w-]+)\//.exec(made.url)!;
  await max.client.putProjectAppShareLink({ ...link(made._id), body: { password: 'another one' } });
  await max.client.deleteProjectAppShareLink(link(made._id));
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`.execute(context.db);
  for (const { name } of tables) {
    const { rows } = await sql<{ text: string }>`
      select coalesce(string_agg(t::text, ' '), '') as text from ${sql.raw(name)} t`.execute(context.db);
    for (const hidden of [
      secret,
      Buffer.from(secret, 'base64url').toString('hex'),
      'Tr0ub4dor',
      'another one',
    ])
      assert.ok(!rows[0]!.text.includes(hidden), name);
  }
  const { items } = await admin.getAudit({ query: { targetId: [made._id] } });
  const entries = items.toReversed().map(({ action, actorId, detail }) => [action, actorId, detail]);
  const common = { appId: params.appId, name: 'Secret' };
  const detail = { ...common, shows: 'current', hasPassword: true, allowedOrigins: [] };
  assert.deepEqual(entries, [
    ['shareLink.create', max.id, detail],
    ['shareLink.change', max.id, { ...detail, passwordChanged: true }],
    ['shareLink.delete', max.id, common],
  ]);
});

test('only who may make apps public manages their links, not who made the app', async () => {
  const hers = await newApp(mia);
  const made = await max.client.postProjectAppShareLink({ params: hers, body: { name: 'L' } });
  const one = { params: { ...hers, shareLinkId: made._id } };
  const refused = { status: 403 };
  await assert.rejects(mia.client.postProjectAppShareLink({ params: hers, body: { name: 'L' } }), refused);
  await assert.rejects(mia.client.getProjectAppShareLinks({ params: hers }), refused);
  await assert.rejects(mia.client.getProjectAppShareLink(one), refused);
  await assert.rejects(mia.client.putProjectAppShareLink({ ...one, body: { name: 'M' } }), refused);
  await assert.rejects(mia.client.deleteProjectAppShareLink(one), refused);
  // nor does she show more by the link of somebody else
  const own = await mia.client.postProjectModule({ params: { projectId }, body: sampleModule });
  const adds = { params: hers, body: { moduleIds: [own._id] } };
  await assert.rejects(mia.client.putProjectApp(adds), refused);
  await max.client.deleteProjectAppShareLink(one);
  await mia.client.putProjectApp(adds);
});

test('a link is found by its own app alone', async () => {
  const made = await max.client.postProjectAppShareLink({ params, body: { name: 'L' } });
  const elsewhere = { params: { ...(await newApp()), shareLinkId: made._id } };
  for (const one of [elsewhere, link('none'), link("'; drop table share_link"), link('x'.repeat(300))]) {
    await assert.rejects(max.client.getProjectAppShareLink(one), { status: 404 });
    await assert.rejects(max.client.putProjectAppShareLink({ ...one, body: { name: 'M' } }), { status: 404 });
    await assert.rejects(max.client.deleteProjectAppShareLink(one), { status: 404 });
  }
  assert.equal((await max.client.getProjectAppShareLink(link(made._id))).name, 'L');
});

test('contradicting fields are refused with a pointer', async () => {
  const past = new Date(Date.now() - 1000).toISOString();
  const cases: [object, number, string][] = [
    [{}, 400, '/name'],
    [{ name: '' }, 400, '/name'],
    [{ name: 'L', password: 'short' }, 400, '/password'],
    [{ name: 'L', password: 'x'.repeat(1025) }, 400, '/password'],
    [{ name: 'L', expiresAt: past }, 400, '/expiresAt'],
    [{ name: 'L', expiresAt: 'tomorrow' }, 400, '/expiresAt'],
    [{ name: 'L', maxUses: 0 }, 400, '/maxUses'],
    [{ name: 'L', maxUses: 2 ** 31 }, 400, '/maxUses'],
    [{ name: 'L', maxUses: 1.5 }, 400, '/maxUses'],
    [{ name: 'L', allowedOrigins: ["https://x.test; script-src 'unsafe-inline'"] }, 400, '/allowedOrigins/0'],
    [{ name: 'L', allowedOrigins: ['javascript:alert(1)'] }, 400, '/allowedOrigins/0'],
    [{ name: 'L', allowedOrigins: ['https://x.test/path'] }, 400, '/allowedOrigins/0'],
    [{ name: 'L', allowedOrigins: ['https://x.test\n'] }, 400, '/allowedOrigins/0'],
    [{ name: 'L', shows: 'newest' }, 422, '/shows'],
    [{ name: 'L', token: 'mine' }, 400, '/token'],
    [{ name: 'L', useCount: 0 }, 400, '/useCount'],
  ];
  const { _id: shareLinkId } = await max.client.postProjectAppShareLink({ params, body: { name: 'L' } });
  for (const [wrong, status, pointer] of cases) {
    const refusal = (error: { status: number; errors: { pointer: string }[] }) => {
      assert.equal(error.status, status, JSON.stringify(wrong));
      assert.ok(
        error.errors.some((one) => one.pointer === pointer),
        JSON.stringify([wrong, error.errors]),
      );
      return true;
    };
    await assert.rejects(max.client.postProjectAppShareLink({ params, body: wrong as never }), refusal);
    const isOfNew = !('name' in wrong) || 'useCount' in wrong || wrong['expiresAt' as never] === past;
    if (!isOfNew)
      await assert.rejects(
        max.client.putProjectAppShareLink({ params: { ...params, shareLinkId }, body: wrong as never }),
        refusal,
      );
  }
});

test('null takes away what a link may do without, and If-Match keeps it from being overwritten', async () => {
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const made = await max.client.postProjectAppShareLink({
    params,
    body: { name: 'L', password: 'correct horse', expiresAt, maxUses: 1 },
  });
  assert.equal(made.expiresAt, expiresAt);
  const changed = await max.client.putProjectAppShareLink({
    ...link(made._id),
    body: { password: null, expiresAt: null, maxUses: null },
  });
  const { hasPassword, hasEnded } = changed;
  assert.deepEqual(
    [changed.expiresAt, changed.maxUses, hasPassword, hasEnded],
    [undefined, undefined, false, false],
  );
  const over = await max.client.putProjectAppShareLink({
    ...link(made._id),
    body: { expiresAt: '2020-01-01T00:00:00Z' },
  });
  assert.equal(over.hasEnded, true);
  const url = `/api/v1/project/${projectId}/app/${params.appId}/share-link/${made._id}`;
  const headers = { authorization: `Bearer ${max.token}`, 'if-match': '"1"' };
  const stale = await service.app.inject({ method: 'PUT', url, headers, payload: { name: 'M' } });
  assert.equal(stale.statusCode, 412);
  assert.equal((await service.app.inject({ method: 'DELETE', url, headers })).statusCode, 412);
  const fresh = { ...headers, 'if-match': '"3"' };
  assert.equal((await service.app.inject({ method: 'DELETE', url, headers: fresh })).statusCode, 200);
});

test('a link goes to the trash with its app, and returns if the caller may share it', async () => {
  const shared = await newApp(mia);
  const made = await max.client.postProjectAppShareLink({ params: shared, body: { name: 'L', maxUses: 2 } });
  const status = async () =>
    (await service.app.inject({ url: made.url, headers: { accept: 'text/html' } })).statusCode;
  assert.equal(await status(), 303);
  const restore = async (who: typeof max) => {
    await max.client.deleteProjectApp({ params: shared });
    assert.equal(await status(), 404);
    const { items } = await max.client.getProjectTrash({ params: { projectId } });
    const trashId = items.find(({ resourceId }) => resourceId === shared.appId)!._id;
    await who.client.postProjectTrashItemRestore({ params: { projectId, trashId } });
  };
  await restore(max);
  assert.equal(await status(), 303);
  const again = await max.client.getProjectAppShareLink({ params: { ...shared, shareLinkId: made._id } });
  const { url: _, ...rest } = made;
  assert.deepEqual(again, rest);
  const { items } = await admin.getAudit({ query: { targetId: [made._id] } });
  assert.deepEqual([items[0]!.action, items[0]!.actorId], ['shareLink.restore', max.id]);
  await restore(mia);
  assert.equal(await status(), 404);
});

test('invalid times and origins are refused with a pointer', async () => {
  const share = (fields: object) =>
    max.client.postProjectAppShareLink({ params, body: { name: 'L', ...fields } });
  const at = (pointer: string) => (error: RequestFailed) =>
    error.status === 400 && error.errors.some((one) => one.pointer.startsWith(pointer));
  for (const origin of ['https://a.example:99999', 'https://1.2.3.999'])
    await assert.rejects(share({ allowedOrigins: [origin] }), at('/allowedOrigins/0'), origin);
  const { _id: shareLinkId } = await share({});
  const change = (fields: object) =>
    max.client.putProjectAppShareLink({ ...link(shareLinkId), body: fields });
  await assert.rejects(change({ allowedOrigins: ['*', 'https://a.example:99999'] }), at('/allowedOrigins/1'));
  for (const expiresAt of [
    '9999-12-31T23:59:59-12:00',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+12:00',
  ]) {
    await assert.rejects(change({ expiresAt }), at('/expiresAt'), expiresAt);
  }
  await assert.rejects(share({ expiresAt: '9999-12-31T23:59:59-12:00' }), at('/expiresAt'));
});
