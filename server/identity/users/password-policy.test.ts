import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { ensureFirstAdmin } from '../first-admin.ts';
import { startService } from '../../testing.ts';
import { weaknessOf } from './password-policy.ts';

const { admin, as, context } = await startService();
const lengths = { minPasswordLength: 8, minAdminPasswordLength: 12 };
const mara = { username: 'mara.lind', email: 'Gardener@city.example', isAdmin: false };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('common passwords, short ones and those with the name or the address are refused, with the reason', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['password', /10,000 most common/],
    ['PassWord', /10,000 most common/],
    ['1234567890', /10,000 most common/],
    ['gr33n', /at least 8 characters/],
    ['🌳🌳🌳🌳', /at least 8 characters/],
    [' '.repeat(12), /4 different characters/],
    ['aaaaAAAAabab', /4 different characters/],
    ['mara.lind', /username/],
    ['xx MARA.LIND 77', /username/],
    ['the gardener 77', /email address/],
  ];
  for (const [password, reason] of refused)
    assert.match(weaknessOf({ password }, mara, lengths) ?? '', reason, password);
  for (const password of ['tomatoe?', 'grow slowly', '🌳🌲🌴🌵🌳🌲🌴🌵'])
    assert.equal(weaknessOf({ password }, mara, lengths), undefined, password);
});

test('administrators need longer passwords', () => {
  const boss = { ...mara, isAdmin: true };
  assert.match(weaknessOf({ password: 'grow slowly' }, boss, lengths) ?? '', /at least 12 .*administrator/);
  assert.equal(weaknessOf({ password: 'grow slowly!' }, boss, lengths), undefined);
});

test('hashed passwords are compared with the list and the name', () => {
  const weakness = (password: string) =>
    weaknessOf({ password: sha256(password), algorithm: 'sha-256' }, mara, lengths);
  for (const common of ['password', 'Password', 'PASSWORD'])
    assert.match(weakness(common) ?? '', /10,000 most common/, common);
  for (const name of ['mara.lind', 'MARA.LIND']) assert.match(weakness(name) ?? '', /username/, name);
  assert.equal(weakness('tomatoes grow slowly'), undefined);
});

test('weak passwords are refused for new users and by changes, and users who have one still sign in', async () => {
  const at = { status: 400, message: /\/password: / };
  await assert.rejects(admin.postUser({ body: { username: 'weak', password: 'password' } }), at);
  await assert.rejects(admin.postUser({ body: { username: 'weak name', password: 'my weak name' } }), at);
  const short = { username: 'boss', password: 'grow slowly', isAdmin: true };
  await assert.rejects(admin.postUser({ body: short }), at);
  const { _id: userId } = await admin.postUser({ body: { username: 'late', password: 'grow slowly' } });
  const common = { params: { userId }, body: { password: 'football' } };
  await assert.rejects(admin.putUserPassword(common), at);
  await as().postLogin({ body: { username: 'late', password: 'grow slowly' } });
});

test('a weak PLATEN_ADMIN_PASSWORD stops the first start, and no later one', async () => {
  const weak = { username: 'admin', password: 'admin', now: new Date() };
  assert.equal(await ensureFirstAdmin(context.db, weak, context.settings), undefined);
  await context.db
    .transaction()
    .execute(async (tx) => {
      await tx.deleteFrom('user_account').execute();
      await assert.rejects(ensureFirstAdmin(tx, weak, context.settings), {
        message: /^PLATEN_ADMIN_PASSWORD cannot be used .* at least 12 characters/,
      });
      throw new Error('undo');
    })
    .catch((error: Error) => assert.equal(error.message, 'undo'));
});
