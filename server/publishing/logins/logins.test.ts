import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { s3, sftp, teamOf } from '../credentials/testing.ts';
import { passphrase, sshKeys } from './testing.ts';

const { service, projectId, manager, managerId, member } = await teamOf();
const { admin, context } = service;
const key = { name: 'Key', type: 'sshKey' as const, username: 'web', ...sshKeys.openSshWithPassphrase };
const sshKey = {
  name: key.name,
  type: key.type,
  username: key.username,
  privateKey: key.privateKey,
  passphrase,
};
const aws = {
  name: 'Amazon',
  type: 'aws' as const,
  accessKeyId: 'AKIA',
  secretAccessKey: 'aws-secret',
  sessionToken: 'token',
};
const userPassword = {
  name: 'Server',
  type: 'userPassword' as const,
  username: 'web',
  password: 'a password',
};
const params = { projectId };

test('a login shows its facts, and never its secrets', async () => {
  const made = [
    await manager.postLoginCredential({ body: sshKey }),
    await manager.postLoginCredential({ body: aws }),
    await manager.postLoginCredential({ body: userPassword }),
  ];
  const [first, second, third] = made;
  const { hasPrivateKey, hasPassphrase, keyFingerprint, username, userId } = first!;
  assert.deepEqual(
    { hasPrivateKey, hasPassphrase, keyFingerprint, username, userId },
    {
      hasPrivateKey: true,
      hasPassphrase: true,
      keyFingerprint: key.fingerprint,
      username: 'web',
      userId: managerId,
    },
  );
  assert.deepEqual(
    [second!.accessKeyId, second!.hasSecretAccessKey, second!.hasSessionToken],
    ['AKIA', true, true],
  );
  assert.deepEqual([third!.username, third!.hasPassword], ['web', true]);
  const listed = await manager.getLoginCredentials({ query: { orderBy: ['createdAt'] } });
  assert.deepEqual(listed.items, made);
  assert.deepEqual(await manager.getLoginCredential({ params: { loginCredentialId: first!._id } }), first);
});

test('a login is seen and changed by its owner alone; super users see names', async () => {
  const body = { ...userPassword, name: 'Mine', description: 'of the printing house' };
  const { _id: loginCredentialId } = await manager.postLoginCredential({ body });
  const other = { params: { loginCredentialId } };
  assert.equal((await member.getLoginCredentials()).totalCount, 0);
  for (const attempt of [
    () => member.getLoginCredential(other),
    () => member.putLoginCredential({ ...other, body: { name: 'x' } }),
    () => member.deleteLoginCredential(other),
  ])
    await assert.rejects(attempt, { status: 404 });
  const seen = await admin.getLoginCredential(other);
  assert.deepEqual(
    [seen.name, seen.description, seen.username, seen.hasPassword],
    ['Mine', '', undefined, undefined],
  );
  assert.deepEqual((await admin.getLoginCredentials({ query: { name: ['mine'] } })).items, [seen]);
  assert.equal((await admin.getLoginCredentials({ query: { description: ['printing'] } })).totalCount, 0);
  await assert.rejects(admin.putLoginCredential({ ...other, body: { name: 'x' } }), { status: 403 });
  await assert.rejects(admin.deleteLoginCredential(other), { status: 403 });
  await assert.rejects(
    admin.postProjectCredential({
      params,
      body: { name: 'C', type: 'sftp', host: 'h', folder: '', loginCredentialId },
    }),
    { status: 422, message: /Only its owner may give it/ },
  );
});

test('each type accepts its own fields only, and sending back what was read changes no secret', async () => {
  const wrong = [
    [{ ...userPassword, accessKeyId: 'AKIA' }, /accessKeyId: This field is unknown/],
    [{ ...aws, secretAccessKey: undefined }, /secretAccessKey: This field is required/],
    [{ ...sshKey, privateKey: 'none' }, /privateKey: It must be an OpenSSH private key/],
    [{ ...sshKey, passphrase: undefined }, /passphrase: The private key needs its passphrase/],
    [{ ...userPassword, password: 'two\nlines' }, /password: must match pattern/],
    [{ ...userPassword, username: 'two\r\nlines' }, /username: must match pattern/],
    [{ ...userPassword, type: 'other' }, /type|discriminator|oneOf/],
  ] as const;
  for (const [body, message] of wrong)
    await assert.rejects(manager.postLoginCredential({ body: body as never }), { status: 400, message });
  const login = await manager.postLoginCredential({ body: sshKey });
  const path = { params: { loginCredentialId: login._id } };
  const secretOf = async () =>
    (
      await context.db
        .selectFrom('login_credential')
        .select('secret')
        .where('id', '=', login._id)
        .executeTakeFirstOrThrow()
    ).secret;
  const before = await secretOf();
  const same = await manager.putLoginCredential({
    ...path,
    body: { ...login, description: 'new', username: undefined } as never,
  });
  assert.deepEqual([same.description, same.keyFingerprint, same.revision], ['new', key.fingerprint, 2]);
  assert.deepEqual(await secretOf(), before);
  await assert.rejects(manager.putLoginCredential({ ...path, body: { password: 'x' } }), {
    status: 400,
    message: /sshKey has no such field/,
  });
  await assert.rejects(manager.putLoginCredential({ ...path, body: { passphrase: null } }), { status: 400 });
  const { privateKey, fingerprint } = sshKeys.pem;
  const changed = await manager.putLoginCredential({ ...path, body: { privateKey } });
  assert.deepEqual([changed.keyFingerprint, changed.hasPassphrase], [fingerprint, false]);
});

test('a login in use is deleted only by force, and credentials have none from then on', async () => {
  const login = await manager.postLoginCredential({ body: { ...aws, name: 'Used' } });
  const { accessKeyId: _, secretAccessKey: __, ...place } = s3;
  const body = { ...place, loginCredentialId: login._id };
  const credential = await manager.postProjectCredential({ params, body });
  assert.deepEqual([credential.hasLogin, credential.accessKeyId], [true, undefined]);
  const path = { params: { loginCredentialId: login._id } };
  await assert.rejects(manager.deleteLoginCredential(path), { status: 409, message: /use this login/ });
  await assert.rejects(
    manager.deleteLoginCredential({
      ...path,
      query: { force: true },
      headers: { 'if-match': '"7"' },
    } as never),
    {
      status: 412,
    },
  );
  await manager.deleteLoginCredential({ ...path, query: { force: true } });
  const after = await manager.getProjectCredential({ params: { projectId, credentialId: credential._id } });
  assert.deepEqual([after.hasLogin, after.loginCredentialId, after.revision], [false, undefined, 2]);
  await assert.rejects(
    manager.postProjectCredential({
      params,
      body: { ...sftp, username: undefined, password: undefined, loginCredentialId: login._id } as never,
    }),
    { status: 422 },
  );
});

test('logins go with the user', async () => {
  const { id, client } = await service.user('leaving');
  await client.postLoginCredential({ body: userPassword });
  await admin.deleteUser({ params: { userId: id } });
  const left = await context.db
    .selectFrom('login_credential')
    .select('id')
    .where('user_id', '=', id)
    .execute();
  assert.deepEqual(left, []);
});

test('a user has at most 100 logins', async () => {
  const { id, client } = await service.user('collector');
  await sql`insert into login_credential (id, user_id, name, description, type, login, secret, created_at, created_by,
      updated_at, updated_by)
    select 'many ' || n, ${id}, 'x', '', 'userPassword', '{}', '', now(), ${id}, now(), ${id}
    from generate_series(1, 99) n`.execute(context.db);
  const { _id: loginCredentialId } = await client.postLoginCredential({ body: userPassword });
  await assert.rejects(client.postLoginCredential({ body: userPassword }), {
    status: 409,
    message: /100 logins, which is the limit/,
  });
  await client.deleteLoginCredential({ params: { loginCredentialId } });
  await client.postLoginCredential({ body: userPassword });
});

test('nobody fills the audit log by making and deleting logins again and again', async () => {
  const { client } = await service.user('restless');
  const add = () => client.postLoginCredential({ body: userPassword });
  for (let i = 0; i < 100; i++) {
    const { _id: loginCredentialId } = await add();
    await client.deleteLoginCredential({ params: { loginCredentialId } });
  }
  await assert.rejects(add(), { status: 429, message: /100 changes of this kind in the last hour/ });
});
