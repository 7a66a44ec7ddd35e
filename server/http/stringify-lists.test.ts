import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringifyLists } from './stringify-lists.ts';

test('lists are written as JSON.stringify writes them', async () => {
  const items = [{ _id: 'a', gone: undefined, list: [1, null, 'é"\n'] }, 'text', null, undefined];
  const page = { page: 0, items, ids: [1, 2], totalCount: 3, missing: undefined, at: new Date(0) };
  assert.equal(await stringifyLists(page), JSON.stringify(page));
  assert.equal(await stringifyLists({ items: [] }), '{"items":[]}');
});

test('the event loop turns between large items', async () => {
  const written: number[] = [];
  const items = Array.from({ length: 8 }, (_, i) => ({
    toJSON() {
      for (const until = performance.now() + 6; performance.now() < until;);
      return written.push(i);
    },
  }));
  let countAtTurn = 0;
  setImmediate(() => (countAtTurn = written.length));
  await stringifyLists({ items });
  assert.ok(
    countAtTurn > 0 && countAtTurn < items.length,
    `${countAtTurn} of ${items.length} before the turn`,
  );
});
