import assert from 'node:assert/strict';
import { test } from 'node:test';
import { teamOf } from './testing.ts';

const { service, projectId, manager } = await teamOf({ settings: { publishFolder: '/srv/maps' } });
const params = { projectId };
const create = (body: object) => manager.postProjectCredential({ params, body: body as never });
const at = (credentialId: string) => ({ params: { projectId, credentialId } });

test('logins and credentials take the names of fields that clients of other platforms send', async () => {
  const login = await manager.postLoginCredential({
    body: { type: 'aws', name: 'Cloud', access: 'AKIA1', secret: 'hush' } as never,
  });
  assert.deepEqual([login.access, login.accessKeyId, login.hasSecretAccessKey], ['AKIA1', 'AKIA1', true]);
  const body = { name: 'Old', type: 'ftp', gzip: true, host: 'ftp.example.org', noTLS: true };
  const user = await manager.postLoginCredential({
    body: { type: 'userPassword', name: 'Web', access: 'web', secret: 'hush' } as never,
  });
  const ftp = await create({ ...body, defaultPath: 'htdocs', loginId: user._id });
  assert.deepEqual(
    [ftp.folder, ftp.isSecure, ftp.loginCredentialId, ftp.loginId, ftp.gzip],
    ['htdocs', false, user._id, user._id, true],
  );
  const s3 = await create({
    name: 'S3',
    type: 's3',
    gzip: false,
    host: 'maps',
    loginId: login._id,
    params: ['x'],
  });
  assert.deepEqual([s3.bucket, s3.region, s3.params], ['maps', 'us-east-1', ['x']]);
  const find = async (query: object) =>
    (await manager.getProjectCredentials({ params, query })).items.map(({ name }) => name).toSorted();
  assert.deepEqual(await find({ gzip: true }), ['Old']);
  assert.deepEqual(await find({ noTLS: true }), ['Old']);
  assert.deepEqual(await find({ noTLS: false }), []);
  assert.deepEqual(await find({ host: ['maps'], params: ['x', 'y'] }), ['S3']);
  assert.deepEqual(await find({ defaultPath: ['htdocs'], loginId: [user._id] }), ['Old']);
  assert.deepEqual(await find({ region: ['eu-1'] }), []);
  const logins = await manager.getLoginCredentials({ query: { access: ['web'] } });
  assert.deepEqual(
    logins.items.map(({ name }) => name),
    ['Web'],
  );
});

test('of two names of a field, the one counts that was changed in what was read', async () => {
  const read = await create({
    name: 'C',
    type: 'ftp',
    host: 'ftp.example.org',
    username: 'u',
    password: 'p',
  });
  const path = at(read._id);
  const put = (change: object) =>
    manager.putProjectCredential({ ...path, body: { ...read, ...change } as never });
  assert.equal((await put({ folder: 'a' })).defaultPath, 'a');
  assert.equal((await put({ folder: 'a', defaultPath: 'b' })).folder, 'b');
  await assert.rejects(put({ folder: 'c', defaultPath: 'd' }), {
    status: 400,
    message: '/defaultPath: This is another name of folder. Send only one of them.',
  });
  assert.equal((await put({ folder: 'b', defaultPath: 'b' })).revision, 4);
});

test('credentials with neither name of a required field, or with an alias of another type, are refused', async () => {
  const refused = async (body: object, message: RegExp) =>
    assert.rejects(create({ name: 'C', ...body }), { status: 400, message });
  await refused({ type: 'fs' }, /folder/);
  await refused({ type: 's3', accessKeyId: 'A', secretAccessKey: 's' }, /bucket/);
  await refused({ type: 'sftp', host: 'h', username: 'u', password: 'p', noTLS: true }, /noTLS/);
  await refused({ type: 's3', bucket: 'one', host: 'two', accessKeyId: 'A', secretAccessKey: 's' }, /host/);
  await assert.rejects(
    manager.postLoginCredential({ body: { type: 'userPassword', name: 'L', access: 'u' } as never }),
    { status: 400, message: /password/ },
  );
});

test('publications compress by default if their credentials say so', async () => {
  const { _id: appId } = await manager.postProjectApp({ params, body: { name: 'A' } });
  const login = { username: 'u', password: 'p' };
  const body = { name: 'Packed', type: 'ftp', host: 'ftp.example.org', gzip: true, ...login };
  const { _id: credentialsId } = await create(body);
  const gzipOf = async (change: object) => {
    const { parameters } = await service.admin.putProjectAppPublish({
      params: { projectId, appId },
      body: { credentialsId, ...change },
    });
    return (parameters['options'] as { gzip?: boolean }).gzip;
  };
  assert.equal(await gzipOf({ destination: 'a' }), true);
  assert.equal(await gzipOf({ destination: 'b', gzip: false }), false);
});
