import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { keysIn, readKeys } from './keys.ts';
import { keyIdOf, keyIdOfSealed, secretsWith } from './secrets.ts';
import { afterFile } from '../../../checks/clean-up.ts';

const [one, other] = [randomBytes(32), randomBytes(32)];

test('sealed bytes are opened again, and never sealed to the same bytes twice', () => {
  const secrets = secretsWith([one]);
  const [first, second] = [secrets.seal('pässword', 'login:1'), secrets.seal('pässword', 'login:1')];
  assert.equal(secrets.open(first, 'login:1'), 'pässword');
  assert.ok(!first.equals(second));
  assert.ok(!first.includes('pässword'));
  assert.equal(keyIdOfSealed(first), keyIdOf(one));
});

test('bytes sealed for one row open for no other, and not if any byte is changed', () => {
  const secrets = secretsWith([one]);
  const sealed = secrets.seal('secret', 'login:1');
  const refused = { code: 'unusable_reference', message: /cannot be decrypted.*Enter them again/ };
  assert.throws(() => secrets.open(sealed, 'login:2'), refused);
  assert.throws(() => secrets.open(sealed, 'credential:1'), refused);
  for (let at = 0; at < sealed.length; at++) {
    const spoilt = Buffer.from(sealed);
    spoilt[at]! ^= 1;
    assert.throws(() => secrets.open(spoilt, 'login:1'), refused, `byte ${at}`);
  }
  for (const length of [0, 1, 9, 36])
    assert.throws(() => secrets.open(sealed.subarray(0, length), 'login:1'), refused);
});

test('the first of several keys encrypts, the others only decrypt', () => {
  const sealed = secretsWith([one]).seal('old', 'x');
  const both = secretsWith([other, one]);
  assert.equal(both.open(sealed, 'x'), 'old');
  assert.equal(keyIdOfSealed(both.seal('new', 'x')), keyIdOf(other));
  assert.throws(() => secretsWith([other]).open(sealed, 'x'), { message: new RegExp(keyIdOf(one)) });
});

test('keys are taken in base64, base64url and hexadecimal digits, and nothing else is', () => {
  for (const encoding of ['base64', 'base64url', 'hex'] as const)
    assert.deepEqual(keysIn(` ${one.toString(encoding)}\n`, 'X'), [one]);
  assert.deepEqual(keysIn(`${one.toString('hex')}, ${other.toString('base64')}`, 'X'), [one, other]);
  const wrong = [
    '',
    'short',
    randomBytes(31).toString('base64'),
    randomBytes(33).toString('hex'),
    `${one.toString('hex')} x`,
  ];
  for (const text of wrong)
    assert.throws(
      () => keysIn(text, 'X'),
      (error: Error) =>
        error.message.startsWith('X must contain 32 bytes') && !error.message.includes(one.toString('hex')),
    );
});

const folder = await mkdtemp(join(tmpdir(), 'platen-keys-'));
afterFile(() => rm(folder, { recursive: true }));
const wanted = { secretKeys: undefined, secretKeyFile: undefined, dataFolder: folder };

test('without a key one is made that only its owner can read, once, whoever starts at the same time', async () => {
  const found = await Promise.all(Array.from({ length: 8 }, () => readKeys(wanted)));
  for (const keys of found) assert.deepEqual(keys, found[0]);
  assert.deepEqual(await readKeys(wanted), found[0]);
  assert.equal((await stat(join(folder, 'secret.key'))).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ['secret.key'], 'no draft stays');
});

test('a key file that others can read, or without a key, is refused without revealing its content', async () => {
  const secretKeyFile = join(folder, 'mine');
  await writeFile(secretKeyFile, one.toString('base64'), { mode: 0o600 });
  assert.deepEqual(await readKeys({ ...wanted, secretKeyFile }), [one]);
  for (const mode of [0o640, 0o604, 0o610]) {
    await chmod(secretKeyFile, mode);
    await assert.rejects(readKeys({ ...wanted, secretKeyFile }), /Other users can read .* Run “chmod 600 /);
  }
  await chmod(secretKeyFile, 0o600);
  await writeFile(secretKeyFile, '');
  await assert.rejects(readKeys({ ...wanted, secretKeyFile }), /must contain 32 bytes/);
  await assert.rejects(readKeys({ ...wanted, secretKeyFile: join(folder, 'absent') }), /cannot be read/);
  await assert.rejects(readKeys({ ...wanted, secretKeyFile: folder }), /is not a file|Other users can read/);
  assert.equal((await readFile(join(folder, 'secret.key'))).length, 45);
});
