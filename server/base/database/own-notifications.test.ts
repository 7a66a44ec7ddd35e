import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../../testing.ts';
import { inTransaction } from './transaction.ts';
import { notify } from './notifications.ts';

const { context } = await startService();
const { db, notifications } = context;

test('a replica receives its own notifications by the commit of the transaction, and not before', async () => {
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

test('notifications of a transaction that is rolled back are not sent', async () => {
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
