import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../../testing.ts';
import { inTransaction } from './transaction.ts';
import { notify } from './notifications.ts';

const { context } = await startService();
const { db, notifications } = context;

test('what a replica tells itself it has heard by the time the transaction is committed, and not before', async () => {
  const heard: string[] = [];
  const off = notifications.on('accessChanged', (payload) => heard.push(payload));
  await inTransaction(db, async (tx) => {
    await inTransaction(tx, (inner) => notify(inner, 'accessChanged', 'bucket:one'));
    assert.deepEqual(heard, []);
  });
  const inTime = [...heard];
  off();
  assert.equal(inTime[0], 'bucket:one'); // that of PostgreSQL may have come as well
});

test('what is told in a transaction that is undone nobody hears', async () => {
  const heard: string[] = [];
  const off = notifications.on('accessChanged', (payload) => heard.push(payload));
  const undone = inTransaction(db, async (tx) => {
    await notify(tx, 'accessChanged', 'never');
    throw new Error('undone');
  });
  await assert.rejects(undone, /undone/);
  await notify(db, 'accessChanged', 'afterwards');
  const isTwice = () => heard.filter((payload) => payload === 'afterwards').length === 2; // ours, and PostgreSQL's
  while (!isTwice()) await sleep(5);
  off();
  assert.ok(!heard.includes('never'));
});
