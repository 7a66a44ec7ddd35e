import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOf, draftOf } from './link-body.ts';

const link = {
  _id: 'l',
  name: 'For the council',
  shows: 'draft',
  allowedOrigins: ['https://a.example'],
  expiresAt: '2026-09-01T00:00:00.000Z',
  maxUses: 5,
  hasPassword: true,
} as never;

test('an untouched password is unchanged', () => {
  assert.equal('password' in bodyOf(draftOf(link)), false);
});

test('an emptied password is removed, another one replaces it', () => {
  assert.equal(bodyOf({ ...draftOf(link), password: '' }).password, null);
  assert.equal(bodyOf({ ...draftOf(link), password: 'correct horse' }).password, 'correct horse');
});

test('an emptied end or limit is removed', () => {
  const body = bodyOf({ ...draftOf(link), expiresAt: undefined, maxUses: undefined });
  assert.deepEqual([body.expiresAt, body.maxUses], [null, null]);
});
