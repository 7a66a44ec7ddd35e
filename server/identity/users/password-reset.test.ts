import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passwordOf, startService } from '../../testing.ts';

const hourMs = 3_600_000;
let now = new Date('2026-11-20T08:00:00Z');
const service = await startService({ now: () => now });
const { admin, adminId, as, user } = service;
const password = 'tomatoes grow slowly';
const makeLink = (userId: string, by = admin) => by.postUserPasswordReset({ params: { userId } });
const use = (token: string, chosen = password) =>
  as().postPasswordReset({ body: { token, password: chosen } });
const gone = { status: 404, message: /expired, or was used/ };

async function administrator(name: string) {
  const made = await user(name);
  await admin.putUser({ params: { userId: made.id }, body: { isAdmin: true } });
  return made;
}

test('a link sets a password once, ends all logins, and changes nothing until then', async () => {
  const mia = await user('mia');
  const { token, link } = await makeLink(mia.id);
  assert.equal(link, `/reset-password#${token}`);
  await mia.client.getUserWhoami();
  await assert.rejects(use(token, 'password'), { status: 400 });
  assert.deepEqual(await use(token), { username: 'mia' });
  await assert.rejects(mia.client.getUserWhoami(), { status: 401 });
  await assert.rejects(as().postLogin({ body: { username: 'mia', password: passwordOf('mia') } }), {
    status: 401,
  });
  await as().postLogin({ body: { username: 'mia', password } });
  await assert.rejects(use(token, 'another long one'), gone);
  const { items } = await admin.getAudit({ query: { targetId: [mia.id] } });
  assert.deepEqual(items.map(({ action }) => action).toSorted(), [
    'login',
    'login.failed',
    'user.create',
    'user.createPasswordReset',
    'user.resetPassword',
  ]);
  assert.ok(!JSON.stringify(items).includes(token));
});

test('a link ends after a day, when another one is made, and when the password changes', async () => {
  const { id } = await user('noa');
  const [first, second] = [await makeLink(id), await makeLink(id)];
  await assert.rejects(use(first.token), gone);
  now = new Date(now.getTime() + 24 * hourMs);
  await assert.rejects(use(second.token), gone);
  now = new Date(now.getTime() - 24 * hourMs);
  await admin.putUserPassword({ params: { userId: id }, body: { password: 'chosen otherwise' } });
  await assert.rejects(use(second.token), gone);
  await assert.rejects(use('A'.repeat(43)), gone);
});

test('a link works at most once, also if it is used twice at the same time', async () => {
  const { id } = await user('eva');
  const { token } = await makeLink(id);
  const outcomes = await Promise.allSettled([use(token), use(token, 'another long one')]);
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('administrators make links for users below their rank, and not for themselves', async () => {
  const [ada, bea] = [await administrator('ada'), await administrator('bea')];
  const max = await user('max');
  for (const above of [bea.id, adminId, ada.id])
    await assert.rejects(makeLink(above, ada.client), { status: 403 });
  await assert.rejects(makeLink(max.id, max.client), { status: 403 });
  const { token } = await makeLink(max.id, ada.client);
  await admin.putUser({ params: { userId: max.id }, body: { isAdmin: true } });
  await assert.rejects(use(token), gone, 'the user has risen');
  await admin.putUser({ params: { userId: max.id }, body: { isAdmin: false } });
  await admin.putUser({ params: { userId: ada.id }, body: { isAdmin: false } });
  await assert.rejects(use(token), gone, 'the one who made it has fallen');
});

test('administrators do not set the password of a project manager, super users do', async () => {
  const [abi, mo] = [await administrator('abi'), await user('mo')];
  const params = { userId: mo.id };
  await abi.client.putUserPassword({ params, body: { password: 'set by the admin' } });
  await admin.postProject({
    body: { name: 'P', description: '', bbox: [0, 0, 1, 1] },
    query: { managerId: mo.id },
  });
  const silent = abi.client.putUserPassword({ params, body: { password } });
  await assert.rejects(silent, { status: 403, message: /link/ });
  await use((await makeLink(mo.id, abi.client)).token);
  await admin.putUserPassword({ params, body: { password: 'set by the super user' } });
});
