import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hashText, hashWords } from './hash-words.ts';

test('hashes of texts that differ a little are as many as chance lets them be', () => {
  const hashes = Array.from({ length: 200_000 }, (_, i) => hashText(`way/${i}`));
  assert.equal(new Set(hashes).size, hashes.length);
  // of each half, which is 24 bits: n · (1 − e^(−k/n)) of them are expected
  const expected = 2 ** 24 * (1 - Math.exp(-hashes.length / 2 ** 24));
  for (const part of [hashes.map((hash) => hash % 2 ** 24), hashes.map((hash) => Math.floor(hash / 2 ** 24))])
    assert.ok(Math.abs(new Set(part).size - expected) < 300);
});

test('a hash changes with each bit, and where words change places', () => {
  const words = fc.array(fc.integer(), { minLength: 2, maxLength: 40 });
  fc.assert(
    fc.property(words, fc.nat(), fc.nat({ max: 31 }), (list, place, bit) => {
      const [one, other] = [Int32Array.from(list), Int32Array.from(list)];
      other[place % list.length]! ^= 1 << bit;
      assert.notEqual(hashWords(one, list.length), hashWords(other, list.length));
      assert.notEqual(hashWords(one, list.length), hashWords(one, list.length - 1));
      const hash = hashWords(one, list.length);
      assert.ok(Number.isSafeInteger(hash) && hash >= 0 && hash < 2 ** 48);
      [other[0], other[1]] = [one[1]!, one[0]!];
      if (one[0] !== one[1])
        assert.notEqual(hashWords(Int32Array.of(one[0]!, one[1]!), 2), hashWords(other, 2));
    }),
  );
});
