import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Credential } from '@platen/contract/credentials';
import { credentialChange, credentialDraft, newCredential } from './fields.ts';
import { targetOf } from './target.ts';

const stored = {
  _id: 'c',
  name: 'Web server',
  description: '',
  type: 'sftp',
  host: 'maps.example.org',
  port: 2222,
  folder: 'www',
  hostKey: 'SHA256:x',
  username: 'deploy',
  hasPassword: true,
  hasLogin: true,
} as unknown as Credential;

test('new credentials have the fields of their type alone', () => {
  const draft = credentialDraft(undefined);
  Object.assign(draft, { name: ' Archive ', type: 's3', mode: 'aws' });
  Object.assign(draft.typed, {
    host: 'left over',
    region: 'eu-central-1',
    bucket: 'maps',
    accessKeyId: 'A',
    secretAccessKey: 's',
  });
  assert.deepEqual(newCredential(draft), {
    type: 's3',
    name: 'Archive',
    description: '',
    region: 'eu-central-1',
    bucket: 'maps',
    prefix: '',
    isPathStyle: false,
    accessKeyId: 'A',
    secretAccessKey: 's',
  });
});

test('unchanged fields are not sent, and never an empty secret', () => {
  assert.deepEqual(credentialChange(credentialDraft(stored), stored), {});
});

test('another folder, and a host key that was emptied', () => {
  const draft = credentialDraft(stored);
  Object.assign(draft.typed, { folder: 'srv/www', hostKey: '' });
  assert.deepEqual(credentialChange(draft, stored), { folder: 'srv/www', hostKey: null });
});

test('a key in the place of the password takes that away, and so does a login of one’s own', () => {
  const draft = credentialDraft(stored);
  draft.mode = 'sshKey';
  draft.typed['privateKey'] = 'KEY';
  assert.deepEqual(credentialChange(draft, stored), {
    username: 'deploy',
    privateKey: 'KEY',
    password: null,
  });
  const own = { ...credentialDraft(stored), mode: 'own' as const, loginCredentialId: 'mine' };
  assert.deepEqual(credentialChange(own, stored), { loginCredentialId: 'mine', password: null });
});

test('the target is one line', () => {
  assert.equal(targetOf(stored), 'sftp://maps.example.org:2222/www');
  assert.equal(targetOf({ type: 'ftp', host: '::1', folder: '/a', isSecure: true }), 'ftps://[::1]/a');
  assert.equal(
    targetOf({ type: 's3', bucket: 'b', prefix: 'p', endpoint: 'https://s3.example/' }),
    'https://s3.example/b/p',
  );
  assert.equal(targetOf({ type: 's3', bucket: 'b' }), 's3://b');
  assert.equal(targetOf({ type: 'fs', folder: 'city/maps' }), 'city/maps');
});
