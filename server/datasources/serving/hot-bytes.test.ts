import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotBytesCache } from './hot-bytes.ts';

test('the least recently used ranges are evicted first, and large ranges are never cached', () => {
  const hot = hotBytesCache({ limitBytes: 10, maxRangeBytes: 5 });
  hot.set('a', new Uint8Array(4));
  hot.set('b', new Uint8Array(4));
  hot.set('huge', new Uint8Array(6));
  assert.equal(hot.get('huge'), undefined);
  assert.equal(hot.get('a')?.length, 4);
  hot.set('c', new Uint8Array(4));
  assert.equal(hot.get('b'), undefined);
  assert.deepEqual([hot.get('a')?.length, hot.get('c')?.length], [4, 4]);
  hot.set('a', new Uint8Array(4));
  hot.set('d', new Uint8Array(2));
  assert.deepEqual(
    ['a', 'c', 'd'].map((key) => hot.get(key)?.length),
    [4, 4, 2],
  );
});
