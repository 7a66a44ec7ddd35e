import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprintOf } from './ssh-key.ts';
import { passphrase, sshKeys } from './testing.ts';

test('a private key is shown by the fingerprint of ssh-keygen', () => {
  for (const name of ['openSsh', 'pem', 'rsa'] as const) {
    const { privateKey, fingerprint } = sshKeys[name];
    assert.equal(fingerprintOf(privateKey, undefined), fingerprint, name);
    assert.equal(
      fingerprintOf(privateKey.replaceAll('\n', '\r\n'), undefined),
      fingerprint,
      `${name} of Windows`,
    );
  }
  for (const name of ['openSshWithPassphrase', 'pemWithPassphrase'] as const)
    assert.equal(fingerprintOf(sshKeys[name].privateKey, passphrase), sshKeys[name].fingerprint, name);
});

test('a key that needs a passphrase is refused without it, and where that can be tried with a wrong one', () => {
  const missing = {
    code: 'invalid',
    errors: [{ pointer: '/passphrase', code: 'passphrase', detail: 'The private key needs its passphrase.' }],
  };
  assert.throws(() => fingerprintOf(sshKeys.openSshWithPassphrase.privateKey, undefined), missing);
  assert.throws(() => fingerprintOf(sshKeys.pemWithPassphrase.privateKey, undefined), missing);
  assert.throws(() => fingerprintOf(sshKeys.pemWithPassphrase.privateKey, 'wrong'), {
    message: /does not open/,
  });
});

test('keys that SSH cannot use here, or that would block a runner, are refused', () => {
  assert.throws(() => fingerprintOf(sshKeys.pkcs8.privateKey, undefined), { message: /ssh-keygen -p/ });
  assert.throws(() => fingerprintOf(sshKeys.openSshWithManyRounds.privateKey, 'x y z w v'), {
    message: /256 rounds/,
  });
  assert.throws(() => fingerprintOf('none', undefined), { message: /OpenSSH private key/ });
});

test('endless blanks are not a key, and are detected at once', () => {
  const begin = '-----BEGIN OPENSSH PRIVATE KEY-----';
  const blanks = ' '.repeat(19_000);
  for (const text of [`${begin}${blanks}!`, `${blanks}${begin}${blanks}`, `${begin}\n${'A '.repeat(9_000)}`])
    assert.throws(() => fingerprintOf(text, undefined), { message: /OpenSSH private key/ });
});

test('a key that is cut off or spoilt anywhere is an error of the one who sends it', () => {
  for (const { privateKey } of [sshKeys.openSsh, sshKeys.rsa, sshKeys.pemWithPassphrase]) {
    const lines = privateKey.trim().split('\n');
    for (let count = 1; count < lines.length - 1; count++) {
      const cut = [...lines.slice(0, count), lines.at(-1)].join('\n');
      assert.throws(() => fingerprintOf(cut, passphrase), { code: 'invalid' }, cut);
    }
  }
  const bytes = Buffer.from(sshKeys.openSsh.privateKey.split('\n').slice(1, -2).join(''), 'base64');
  for (let at = 0; at < bytes.length; at++) {
    const spoilt = Buffer.from(bytes);
    spoilt[at] = 0xff;
    const pem = `-----BEGIN OPENSSH PRIVATE KEY-----\n${spoilt.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----`;
    try {
      assert.match(fingerprintOf(pem, undefined), /^SHA256:/); // in the private half, which stays closed
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'invalid', `byte ${at}`);
    }
  }
});
