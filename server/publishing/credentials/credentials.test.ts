import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ftp, s3, sftp, teamOf } from './testing.ts';
import { sshKeys } from '../logins/testing.ts';
import { projectOf } from '../../jobs/queue/testing.ts';

const { service, projectId, manager, member } = await teamOf({ settings: { publishFolder: '/srv/maps' } });
const { admin, context, user } = service;
const params = { projectId };
const fs = { name: 'Disk', type: 'fs' as const, folder: 'town' };
const hostKey = `SHA256:${'A'.repeat(43)}`;

const create = (body: object) => manager.postProjectCredential({ params, body: body as never });
const at = (credentialId: string) => ({ params: { projectId, credentialId } });

test('credentials are listed without secrets, with defaults, to users who may list them', async () => {
  const made = [];
  for (const body of [fs, ftp, sftp, s3]) made.push(await create(body));
  const set = new Set(['_id', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy', 'projectId']);
  const shown = made.map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => !set.has(name))));
  const whole = { description: '', gzip: false, hasLogin: true, revision: 1 };
  assert.deepEqual(shown, [
    { ...whole, ...fs, defaultPath: 'town' },
    {
      ...whole,
      name: ftp.name,
      type: 'ftp',
      host: ftp.host,
      port: 21,
      isSecure: true,
      noTLS: false,
      folder: 'htdocs',
      defaultPath: 'htdocs',
      username: 'old',
      hasPassword: true,
    },
    {
      ...whole,
      name: sftp.name,
      type: 'sftp',
      host: sftp.host,
      port: 22,
      folder: '/var/www',
      defaultPath: '/var/www',
      username: 'web',
      hasPassword: true,
    },
    {
      ...whole,
      name: s3.name,
      type: 's3',
      endpoint: s3.endpoint,
      region: s3.region,
      bucket: 'maps',
      host: 'maps',
      params: [],
      isPathStyle: true,
      prefix: 'town',
      defaultPath: 'town',
      accessKeyId: 'AKIA1',
      hasSecretAccessKey: true,
      hasSessionToken: false,
    },
  ]);
  const listed = await member.getProjectCredentials({ params, query: { orderBy: ['createdAt'] } });
  assert.deepEqual(listed.items, made);
  assert.deepEqual(await member.getProjectCredential(at(made[2]!._id)), made[2]);
  const found = await member.getProjectCredentials({
    params,
    query: { type: ['s3', 'ftp'], name: ['BUCK'] },
  });
  assert.deepEqual(
    found.items.map(({ name }) => name),
    ['Bucket'],
  );
  assert.equal((await member.getProjectSummary({ params })).credentials, 4);
});

test('invalid targets are refused with a pointer', async () => {
  const wrong: [object, string][] = [
    [{ ...sftp, host: 'a b' }, '/host'],
    [{ ...sftp, host: 'http://x' }, '/host'],
    [{ ...sftp, host: 'x/../y' }, '/host'],
    [{ ...sftp, host: 'x\r\ny' }, '/host'],
    [{ ...sftp, host: '[::1]' }, '/host'],
    [{ ...sftp, port: 0 }, '/port'],
    [{ ...sftp, folder: '/a/../b' }, '/folder'],
    [{ ...sftp, folder: 'a\nb' }, '/folder'],
    [{ ...ftp, folder: '/a\\b' }, '/folder'],
    [{ ...sftp, hostKey: 'MD5:aa' }, '/hostKey'],
    [{ ...sftp, password: undefined }, '/password'],
    [{ ...sftp, username: undefined }, '/username'],
    [{ ...sftp, privateKey: 'x' }, '/privateKey'],
    [{ ...ftp, privateKey: sshKeys.rsa.privateKey }, '/privateKey'],
    [{ ...ftp, password: 'a\r\nDELE x' }, '/password'],
    [{ ...s3, endpoint: 'https://u:p@s3.example.org' }, '/endpoint'],
    [{ ...s3, endpoint: 'https://s3.example.org/path' }, '/endpoint'],
    [{ ...s3, endpoint: 'file:///etc/passwd' }, '/endpoint'],
    [{ ...s3, region: 'evil.example.org/' }, '/region'],
    [{ ...s3, bucket: '../x' }, '/bucket'],
    [{ ...s3, prefix: 'a/../b' }, '/prefix'],
    [{ ...s3, secretAccessKey: undefined }, '/secretAccessKey'],
    [{ ...s3, host: 'x' }, '/host'],
    [{ ...fs, folder: '' }, '/folder'],
    [{ ...fs, folder: '../x' }, '/folder'],
    [{ ...fs, folder: '/' }, '/folder'],
    [{ ...sftp, loginCredentialId: 'x' }, '/loginCredentialId'],
  ];
  for (const [body, pointer] of wrong)
    await assert.rejects(create(body), (error: { status?: number; errors?: { pointer: string }[] }) => {
      assert.deepEqual([error.status, error.errors?.[0]?.pointer], [400, pointer], JSON.stringify(body));
      return true;
    });
  await assert.rejects(create({ ...fs, type: 'webdav' }), { status: 400 });
  for (const host of ['::1', '192.0.2.1', 'files_1.example.org', 'EXAMPLE.org.'])
    await create({ ...sftp, host });
});

test('a change affects only the given fields, and unchanged fields may be sent back', async () => {
  const made = await create({ ...sftp, hostKey });
  const again = await manager.putProjectCredential({ ...at(made._id), body: made as never });
  assert.deepEqual(again, made);
  const moved = await manager.putProjectCredential({ ...at(made._id), body: { folder: 'maps', name: 'N' } });
  assert.deepEqual([moved.folder, moved.name, moved.hasPassword, moved.revision], ['maps', 'N', true, 2]);
  const keyed = await manager.putProjectCredential({
    ...at(made._id),
    body: { password: null, privateKey: sshKeys.openSsh.privateKey },
  });
  assert.deepEqual([keyed.hasPassword, keyed.keyFingerprint], [undefined, sshKeys.openSsh.fingerprint]);
  for (const body of [
    { privateKey: null },
    { bucket: 'maps' },
    { secretAccessKey: 'x' },
    { type: 'ftp' as const },
  ])
    await assert.rejects(manager.putProjectCredential({ ...at(made._id), body }), { status: 400 });
  await assert.rejects(
    manager.putProjectCredential({ ...at(made._id), body: { name: 'x' }, headers: { 'if-match': '"1"' } }),
    { status: 412 },
  );
});

test('users cannot have an unknown secret sent to their own server', async () => {
  const made = await create({ ...sftp, hostKey });
  const cloud = await create(s3);
  const change = (id: string, body: object) =>
    manager.putProjectCredential({ ...at(id), body: body as never });
  const refused = { status: 400, message: /server has changed/ };
  const others = [
    { host: 'evil.example.org' },
    { port: 2222 },
    { hostKey: null },
    { hostKey: `SHA256:${'B'.repeat(43)}` },
  ];
  for (const body of [...others, { host: 'evil.example.org', username: 'web' }])
    await assert.rejects(change(made._id, body), refused, JSON.stringify(body));
  for (const body of [{ endpoint: 'https://evil.example.org' }, { endpoint: null }])
    await assert.rejects(change(cloud._id, body), refused, JSON.stringify(body));
  assert.equal(
    (await change(made._id, { host: 'new.example.org', password: 'known' })).host,
    'new.example.org',
  );

  const body = { name: 'L', type: 'userPassword' as const, username: 'me', password: 'mine alone' };
  const login = await manager.postLoginCredential({ body });
  const { username: _, password: __, ...place } = sftp;
  const byLogin = await create({ ...place, loginCredentialId: login._id });
  const colleague = await user('colleague');
  await admin.putProjectUser({
    params: { projectId, userId: colleague.id },
    body: { roleId: 'projectManager' },
  });
  const theirs = (changed: object) =>
    colleague.client.putProjectCredential({ ...at(byLogin._id), body: changed as never });
  assert.equal((await theirs({ name: 'renamed', loginCredentialId: login._id })).name, 'renamed');
  for (const changed of [
    { host: 'evil.example.org' },
    { host: 'evil.example.org', loginCredentialId: login._id },
  ])
    await assert.rejects(theirs(changed), { status: 422, message: /Only its owner may give it/ });
  assert.equal((await change(byLogin._id, { host: 'moved.example.org' })).host, 'moved.example.org');
});

test('folders of the operator’s are there only where one is named, and each belongs to one project', async () => {
  const other = { projectId: await projectOf(service, 'Other') };
  const take = (folder: string) => admin.postProjectCredential({ params: other, body: { ...fs, folder } });
  for (const folder of ['town', 'Town', 'town/sub', '/town/'])
    await assert.rejects(take(folder), { status: 409, message: /Another project publishes to this folder/ });
  const { _id } = await take('towns/a');
  await assert.rejects(create({ ...fs, folder: 'towns' }), { status: 409 });
  await assert.rejects(create({ ...fs, folder: 'towns/a/b' }), { status: 409 });
  await create({ ...fs, folder: 'towns/b' });
  await assert.rejects(
    admin.putProjectCredential({ params: { ...other, credentialId: _id }, body: { folder: 'town/x' } }),
    { status: 409 },
  );
  const none = await teamOf();
  await assert.rejects(
    none.manager.postProjectCredential({ params: { projectId: none.projectId }, body: fs }),
    { status: 422, message: /PLATEN_PUBLISH_FOLDER/ },
  );
});

test('deleted credentials are in the trash, encrypted, and restored by users who may edit the project', async () => {
  const login = await manager.postLoginCredential({
    body: { name: 'L', type: 'userPassword', username: 'me', password: 'trash-password-2' },
  });
  const { username: _, password: __, ...place } = sftp;
  const made = await create({ ...sftp, password: 'trash-password-1' });
  const byLogin = await create({ ...place, loginCredentialId: login._id });
  for (const { _id } of [made, byLogin]) await manager.deleteProjectCredential(at(_id));
  await manager.deleteLoginCredential({ params: { loginCredentialId: login._id } });
  const rows = await context.db.selectFrom('trash_row').selectAll().execute();
  assert.doesNotMatch(JSON.stringify(rows), /trash-password/);
  const { items } = await member.getProjectTrash({ params, query: { type: ['credential'] } });
  for (const { _id: trashId } of items) {
    const trash = { params: { projectId, trashId } };
    await assert.rejects(member.postProjectTrashItemRestore(trash), { status: 403, message: /editProject/ });
    await manager.postProjectTrashItemRestore(trash);
  }
  const back = await manager.getProjectCredential(at(made._id));
  assert.deepEqual(back, made);
  assert.equal(
    (await manager.putProjectCredential({ ...at(made._id), body: { username: 'x' } })).hasPassword,
    true,
  );
  assert.equal((await manager.getProjectCredential(at(byLogin._id))).hasLogin, false);
});

test('creating, changing and deleting credentials is in the audit log, with the target and without secrets', async () => {
  const made = await create({ ...ftp, name: 'Audited' });
  await manager.putProjectCredential({ ...at(made._id), body: { password: 'ftp-password-2' } });
  await manager.deleteProjectCredential(at(made._id));
  const { items } = await admin.getAudit({ query: { targetId: [made._id] } });
  assert.deepEqual(
    items.map(({ action }) => action),
    ['credential.delete', 'credential.change', 'credential.create'],
  );
  assert.equal(items[0]!.detail['host'], ftp.host);
  assert.doesNotMatch(JSON.stringify(items), /ftp-password/);
});

test('lost updates of credentials are detected by If-Match, and other projects cannot find them', async () => {
  const made = await create(ftp);
  const headers = { 'if-match': '"9"' };
  await assert.rejects(manager.deleteProjectCredential({ ...at(made._id), headers }), { status: 412 });
  const elsewhere = { projectId: await projectOf(service, 'Elsewhere'), credentialId: made._id };
  await assert.rejects(admin.getProjectCredential({ params: elsewhere }), { status: 404 });
});
