import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { notify } from '../../base/database/notifications.ts';
import { superUser, untilAccessNotified, untilSomeoneWaits } from '../../base/database/testing.ts';
import { assignMember } from '../members/operations.ts';
import { passwordOf, startService } from '../../testing.ts';
import { changeUser } from './operations.ts';

const { admin, adminId, as, context, user } = await startService();

test('the users list is complete for admins, and shows others only themselves', async () => {
  const eva = await user('eva');
  const all = await admin.getUsers({ query: { orderBy: ['username'] } });
  assert.ok(all.items.some(({ username }) => username === 'eva'));
  assert.ok(all.items.some(({ username }) => username === 'admin'));
  const own = await eva.client.getUsers();
  assert.deepEqual(
    own.items.map((item) => item._id),
    [eva.id],
  );
  const profiles = await eva.client.getUserProfiles({ query: { username: ['ADM'] } });
  assert.deepEqual(profiles.items, [{ _id: adminId, username: 'admin' }]);
});

test('an admin manages users but cannot reach beyond their own rank', async () => {
  const ada = await user('ada');
  await admin.putUser({ params: { userId: ada.id }, body: { isAdmin: true } });
  const bob = await ada.client.postUser({ body: { username: 'bob', password: 'long enough for bob' } });
  await ada.client.putUser({ params: { userId: bob._id }, body: { username: 'bobby' } });
  const refused = { status: 403, code: 'forbidden' };
  const params = { userId: adminId };
  await assert.rejects(ada.client.putUserPassword({ params, body: { password: 'taking it over' } }), refused);
  await assert.rejects(ada.client.putUser({ params, body: { email: 'x@y.example' } }), refused);
  await assert.rejects(ada.client.putUserActive({ params, body: { isActive: false } }), refused);
  await assert.rejects(ada.client.deleteUser({ params }), refused);
  await assert.rejects(ada.client.putIamSuperUser({ params: { userId: ada.id } }), refused);
  await assert.rejects(ada.client.putUser({ params: { userId: bob._id }, body: { isAdmin: true } }), refused);
  await assert.rejects(
    ada.client.postUser({ body: { username: 'x1', password: '12345678', isAdmin: true } }),
    refused,
  );
});

test('users change their own e-mail address but not their name or rank', async () => {
  const kim = await user('kim');
  const params = { userId: kim.id };
  const changed = await kim.client.putUser({ params, body: { email: 'kim@city.example' } });
  assert.equal(changed.email, 'kim@city.example');
  assert.equal((await kim.client.putUser({ params, body: changed })).email, 'kim@city.example');
  await assert.rejects(kim.client.putUser({ params, body: { username: 'boss' } }), { status: 403 });
  await assert.rejects(kim.client.putUser({ params, body: { isAdmin: true } }), { status: 403 });
  await assert.rejects(kim.client.putUser({ params: { userId: adminId }, body: {} }), { status: 403 });
});

test('a session, and a token older than an hour, change the own e-mail address only with the password', async () => {
  let at = new Date();
  const { app, as: client, user: signUp } = await startService({ now: () => at });
  const lou = await signUp('lou');
  const params = { userId: lou.id };
  const password = passwordOf('lou');
  const payload = { username: 'lou', password };
  const session = await app.inject({ method: 'POST', url: '/api/v1/session', payload });
  const cookie = [session.headers['set-cookie'] ?? []].flat()[0]!.split(';')[0]!;
  const put = async (body: object) => {
    const headers = { cookie, origin: 'http://localhost:80', host: 'localhost:80' };
    const url = `/api/v1/user/${lou.id}`;
    return (await app.inject({ method: 'PUT', url, headers, payload: body })).statusCode;
  };
  assert.equal(await put({ email: 'thief@elsewhere.example' }), 400);
  assert.equal(await put({ email: 'thief@elsewhere.example', oldPassword: 'a guess' }), 403);
  assert.equal(await put({ email: 'lou@city.example', oldPassword: password }), 200);
  assert.equal(await put({ email: 'lou@city.example' }), 200); // unchanged
  at = new Date(at.getTime() + 3_600_001);
  const later = client(lou.token);
  await assert.rejects(later.putUser({ params, body: { email: 'new@city.example' } }), { status: 400 });
  await later.putUser({ params, body: { email: 'new@city.example', oldPassword: password } });
});

test('nobody fills the audit log by changing the own e-mail address again and again', async () => {
  const { id: userId, client } = await user('rex');
  const change = (i: number) =>
    client.putUser({ params: { userId }, body: { email: `rex${i}@city.example` } });
  for (let i = 0; i < 100; i++) await change(i);
  await assert.rejects(change(100), { status: 429, message: /100 changes of this kind in the last hour/ });
  await admin.putUser({ params: { userId }, body: { email: 'rex@city.example' } });
});

test('a user who signs in after another one is never taken for them, whatever the browser has cached', async () => {
  const [ina, ole] = [await user('ina'), await user('ole')];
  const { revision } = await ina.client.getUserWhoami();
  assert.equal((await ole.client.getUserWhoami()).revision, revision);
  const kept = { 'if-none-match': `"${revision}"` };
  assert.equal((await ole.client.getUserWhoami({ headers: kept })).username, 'ole');
});

test('the name and the password of a user change together or not at all', async () => {
  const zoe = await user('zelda');
  const params = { userId: zoe.id };
  const put = (body: object) => admin.putUser({ params, body });
  await assert.rejects(put({ username: 'admin', password: 'a new password' }), { status: 409 });
  await assert.rejects(put({ email: 'zoe@city.example', password: '12345678' }), { status: 400 });
  assert.equal((await zoe.client.getUserWhoami()).email, '');
  const changed = await put({ email: 'zoe@city.example', password: 'a new password' });
  assert.deepEqual(changed, await admin.getUser({ params }));
  await assert.rejects(zoe.client.getUserWhoami(), { status: 401 });
  const { token } = await as().postLogin({ body: { username: 'zelda', password: 'a new password' } });
  const own = as(token);
  const body = { password: 'another password' };
  await assert.rejects(own.putUser({ params, body }), { status: 400, message: /oldPassword/ });
  await own.putUser({ params, body: { ...body, oldPassword: 'a new password' } });
  await assert.rejects(own.getUserWhoami(), { status: 401 });
});

test('users are found by their whole name in any case, or by a part of it', async () => {
  for (const name of ['nn', 'anna', 'hanna, the other']) await user(name);
  const find = async (query: object) =>
    (await admin.getUsers({ query })).items.map(({ username }) => username).toSorted();
  assert.deepEqual(await find({ username: ['NN', 'hanna, the other'] }), ['hanna, the other', 'nn']);
  assert.deepEqual(await find({ username: ['ann'] }), []);
  assert.deepEqual(await find({ contains: ['ANN'] }), ['anna', 'hanna, the other']);
});

test('names are taken without regard to case', async () => {
  await user('Çarla');
  await assert.rejects(admin.postUser({ body: { username: 'çARLA', password: 'long enough' } }), {
    status: 409,
  });
});

test('the last super user stays active, present and super', async () => {
  const params = { userId: adminId };
  const refused = { status: 409, code: 'conflict' };
  await assert.rejects(admin.putUserActive({ params, body: { isActive: false } }), refused);
  await assert.rejects(admin.deleteUser({ params }), refused);
  await assert.rejects(admin.deleteIamSuperUser({ params }), refused);
  const two = await user('second');
  await admin.putIamSuperUser({ params: { userId: two.id } });
  assert.deepEqual(
    (await admin.getIamSuperUsers()).items.map(({ username }) => username),
    ['admin', 'second'],
  );
  await Promise.allSettled([
    admin.deleteIamSuperUser({ params: { userId: two.id } }),
    two.client.deleteIamSuperUser({ params }),
  ]);
  const { rows } = await sql<{ count: number }>`
    select count(*) from user_account where is_super_user and is_active`.execute(context.db);
  assert.equal(rows[0]!.count, 1);
  await sql`update user_account set is_super_user = true where id = ${adminId}`.execute(context.db);
});

test('every change of users is in the audit log, which cannot be changed', async () => {
  const zoe = await user('zoe');
  await admin.putUserActive({ params: { userId: zoe.id }, body: { isActive: false } });
  await assert.rejects(as().postLogin({ body: { username: 'zoe', password: 'nope' } }), { status: 401 });
  const { items } = await admin.getAudit({ query: { targetId: [zoe.id] } });
  assert.deepEqual(
    items.map(({ action }) => action),
    ['login.failed', 'user.deactivate', 'login', 'user.create'],
  );
  assert.equal(items[3]!.actorId, adminId);
  await assert.rejects(sql`delete from audit_entry`.execute(context.db), /append-only/);
  await assert.rejects(sql`update audit_entry set action = ''`.execute(context.db), /append-only/);
});

test('a former administrator does not regain the role through a simultaneous change', async () => {
  const { id: userId, client } = await user('ida');
  await admin.putUser({ params: { userId }, body: { isAdmin: true } });
  const change = await context.db.transaction().execute(async (tx) => {
    const body = { isAdmin: false };
    await changeUser({ ...context, db: tx }, superUser(adminId), { userId, body, ifMatch: undefined });
    const email = client.putUser({ params: { userId }, body: { email: 'ida@city.example' } });
    await untilSomeoneWaits(tx);
    return { email };
  });
  assert.deepEqual(await change.email.then(({ isAdmin, email }) => ({ isAdmin, email })), {
    isAdmin: false,
    email: 'ida@city.example',
  });
});

test('all replicas are notified who is an administrator and who no longer is', async () => {
  const { id: userId } = await user('ivo');
  const { db, notifications } = context;
  await untilAccessNotified(context);
  const heard: string[] = [];
  const off = notifications.on('accessChanged', (payload) => heard.push(payload));
  await admin.putUser({ params: { userId }, body: { isAdmin: true } });
  await notify(db, 'accessChanged', 'after');
  off();
  assert.equal(heard[0], '');
});

test('a user who is the last manager by the time of their deletion stays', async () => {
  const [lea, leo] = [await user('lea'), await user('leo')];
  const body = { name: 'P', description: '', bbox: [0, 0, 1, 1] };
  const { _id: projectId } = await admin.postProject({ body, query: { managerId: lea.id } });
  const params = { projectId, userId: leo.id };
  await admin.putProjectUser({ params, body: { roleId: 'projectManager' } });
  const deletion = await context.db.transaction().execute(async (tx) => {
    const member = { ...params, roleId: 'projectMember' };
    await assignMember({ ...context, db: tx }, superUser(adminId), member);
    const settled = admin.deleteUser({ params: { userId: lea.id } }).then(
      () => 'deleted',
      (error: { status: number }) => error.status,
    );
    await untilSomeoneWaits(tx);
    return { settled };
  });
  assert.equal(await deletion.settled, 409);
});
