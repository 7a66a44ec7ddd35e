import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readNumber, toNumber } from './read-numbers.ts';

const read = (text: string): [number, number] => {
  const bytes = Buffer.from(`x${text} `);
  const cursor = { bytes, at: 1, end: bytes.length - 1 };
  return [readNumber(cursor), cursor.at - 1];
};

test('numbers are read to the last bit, however long', () => {
  const text = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 25n }), fc.nat({ max: 600 }))
      .map(([a, zeroes]) => `-${a}.${'0'.repeat(zeroes)}${a}`),
    fc
      .tuple(fc.nat(), fc.nat({ max: 600 }), fc.integer({ min: -330, max: 330 }))
      .map(([a, zeroes, exponent]) => `+${a}${'0'.repeat(zeroes)}.5E${exponent}`),
    // what other programs write of coordinates
    fc
      .tuple(fc.integer({ min: -180, max: 180 }), fc.bigInt({ min: 0n, max: 10n ** 19n }))
      .map(([a, b]) => `${a}.${b}`),
    // halfway between two doubles, and just beside it
    fc
      .tuple(
        fc.bigInt({ min: 2n ** 52n, max: 2n ** 53n }),
        fc.integer({ min: -1, max: 1 }),
        fc.nat({ max: 3 }),
      )
      .map(([a, offset, zeroes]) => `${(a * 2n + 1n) * 1000n + BigInt(offset)}.${'0'.repeat(zeroes)}`),
    fc
      .tuple(fc.bigInt({ min: 2n ** 49n, max: 2n ** 50n }), fc.nat({ max: 3 }))
      .map(
        ([a, zeroes]) => `${a / 4n}.${['125', '375', '0625', '1875'][Number(a % 4n)]}${'0'.repeat(zeroes)}`,
      ),
    fc.nat().map((a) => `.${a}`),
    fc.nat().map((a) => `${a}.`),
  );
  fc.assert(
    fc.property(text, (digits) => {
      assert.deepEqual(read(digits), [Number(digits), digits.length]);
      assert.equal(toNumber(` ${digits}\n`), Number(digits));
    }),
    { numRuns: 2000 },
  );
});

test('text other than a number is not a number', () => {
  for (const text of ['', '.', '-', '+.', 'e5', '1e', '1e+', 'NaN', 'INF', '--1']) {
    assert.deepEqual(read(text), [NaN, 0], text);
    assert.equal(toNumber(text), NaN, text);
  }
  for (const text of ['1 2', '0x10', '1,5', 'Infinity']) assert.equal(toNumber(text), NaN, text);
});
