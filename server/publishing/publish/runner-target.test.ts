import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ftp, s3, sftp, teamOf } from '../credentials/testing.ts';
import { enrolledRunner, holdNext } from '../../jobs/queue/testing.ts';
import { sshKeys } from '../logins/testing.ts';

const { service, projectId, manager } = await teamOf({ settings: { publishFolder: '/srv/maps' } });
const params = { projectId };
const runner = await enrolledRunner(service, 'one');

test('only the runner that holds a job can read its target and secrets, and only while it runs', async () => {
  const { _id: appId } = await manager.postProjectApp({ params, body: { name: 'A' } });
  const { privateKey } = sshKeys.openSsh;
  const places = [
    [
      { ...sftp, hostKey: `SHA256:${'A'.repeat(43)}`, privateKey },
      'maps',
      {
        folder: '/var/www/maps',
        host: sftp.host,
        port: 22,
        username: 'web',
        password: sftp.password,
        privateKey,
        hostKey: `SHA256:${'A'.repeat(43)}`,
      },
    ],
    [
      { ...ftp, folder: '/' },
      'maps',
      { folder: '/maps', host: ftp.host, port: 21, username: 'old', password: ftp.password, isSecure: true },
    ],
    [
      s3,
      '',
      {
        endpoint: s3.endpoint,
        region: s3.region,
        bucket: 'maps',
        isPathStyle: true,
        accessKeyId: 'AKIA1',
        secretAccessKey: s3.secretAccessKey,
        prefix: 'town/',
      },
    ],
    [
      { ...s3, endpoint: undefined, prefix: undefined, sessionToken: 't' },
      '',
      {
        region: s3.region,
        bucket: 'maps',
        isPathStyle: false,
        accessKeyId: 'AKIA1',
        secretAccessKey: s3.secretAccessKey,
        sessionToken: 't',
        prefix: '',
      },
    ],
    [{ name: 'Disk', type: 'fs', folder: 'town' }, 'a/b', { folder: 'town/a/b' }],
  ] as const;
  for (const [body, destination, expected] of places) {
    const { _id: credentialsId } = await manager.postProjectCredential({ params, body: body as never });
    await manager.putProjectAppPublish({
      params: { projectId, appId },
      body: { credentialsId, destination, gzip: true },
    });
    const held = (await holdNext(service, runner))!;
    const target = await held.client.getRunnerJobTarget({ params: held.params });
    assert.deepEqual(target, { target: { type: body.type, ...expected }, numThreads: 4, gzip: true });
    assert.doesNotMatch(JSON.stringify(held), /password|secret|PRIVATE/);
    await assert.rejects(runner.getRunnerJobTarget({ params: held.params }), { status: 401 });
    await assert.rejects(manager.getRunnerJobTarget({ params: held.params }), { status: 401 });
    await assert.rejects(held.client.getRunnerJobTarget({ params: { jobId: 'other' } }), { status: 401 });
    await held.complete();
    await assert.rejects(held.client.getRunnerJobTarget({ params: held.params }), { status: 401 });
  }
  await manager.postProjectTask({
    params: { projectId },
    body: { name: 'I', jobType: 'platenCheckRunner', parameters: { options: {} } },
  });
  const other = (await holdNext(service, runner))!;
  await assert.rejects(other.client.getRunnerJobTarget({ params: other.params }), { status: 404 });
  await other.complete();
});
