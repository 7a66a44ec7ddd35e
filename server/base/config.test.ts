import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from './config.ts';

test('hosts are names or addresses without ports, and a mistake is named', () => {
  const hostsOf = (hosts: string) => readConfig({ PLATEN_ALLOWED_HOSTS: hosts }).settings.allowedHosts;
  assert.deepEqual(hostsOf('platen, 10.0.0.5 [2001:DB8::5]'), ['platen', '10.0.0.5', '[2001:db8::5]']);
  for (const mistake of ['platen:8080', 'https://platen', 'a/b', 'a@b', '*.example.org:x'])
    assert.throws(() => hostsOf(`platen ${mistake}`), { message: /not “.*”\.$/ });
  assert.throws(() => readConfig({ PLATEN_HSTS: 'yes' }), /host, subdomains or none/);
});

test('jobs publish below a folder that has nothing to do with the data of the service', () => {
  const folderOf = (env: NodeJS.ProcessEnv) => readConfig(env).settings.publishFolder;
  assert.equal(folderOf({ PLATEN_DATA: '/var/platen' }), undefined);
  const apart = ['/srv/maps', '/var/platen-maps', '/var/platen/../maps'];
  assert.deepEqual(
    apart.map((folder) => folderOf({ PLATEN_DATA: '/var/platen', PLATEN_PUBLISH_FOLDER: folder })),
    ['/srv/maps', '/var/platen-maps', '/var/maps'],
  );
  for (const folder of ['/var/platen', '/var/platen/objects', '/var', '/', '/var/platen/../platen/'])
    assert.throws(() => folderOf({ PLATEN_DATA: '/var/platen', PLATEN_PUBLISH_FOLDER: folder }), {
      message: /must neither contain the data/,
    });
  const PLATEN_STORAGE = 'file:/mnt/objects';
  for (const folder of ['/mnt', '/mnt/objects/x'])
    assert.throws(() => folderOf({ PLATEN_STORAGE, PLATEN_PUBLISH_FOLDER: folder }), /must neither/);
  const onS3 = { PLATEN_STORAGE: 's3://bucket', PLATEN_PUBLISH_FOLDER: '/srv/maps' };
  assert.equal(folderOf(onS3), '/srv/maps');
});
