import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringifyPage } from './stringify-page.ts';

test('a page reads as JSON.stringify writes it', async () => {
  const items = [{ _id: 'a', gone: undefined, list: [1, null, 'é"\n'] }, 'text', null];
  const page = { page: 0, items, totalCount: 3, missing: undefined, at: new Date(0) };
  assert.equal(await stringifyPage(page), JSON.stringify(page));
  assert.equal(await stringifyPage({ items: [] }), '{"items":[]}');
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
  await stringifyPage({ items });
  assert.ok(
    countAtTurn > 0 && countAtTurn < items.length,
    `${countAtTurn} of ${items.length} before the turn`,
  );
});
