import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { endOfValue, readAttributeValue, writeAttributeValue } from './attributes.ts';
import { createByteWriter } from './byte-writer.ts';

test('attribute values are read as they were written, one behind the other', () => {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', '\uFEFFmarked', 'long '.repeat(3000)),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.constantFrom(0, -1, 2 ** 53 - 1, 1 - 2 ** 53, -(2 ** 52), 2 ** 31, -(2 ** 31)),
    fc.double({ noNaN: true }),
  );
  fc.assert(
    fc.property(fc.array(value), (values) => {
      const out = createByteWriter(8);
      for (const each of values) writeAttributeValue(out, each);
      let at = 0;
      for (const each of values) {
        assert.equal(readAttributeValue(out.bytes, at), Object.is(each, -0) ? 0 : each);
        at = endOfValue(out.bytes, at);
      }
      assert.equal(at, out.length);
    }),
    { numRuns: 500 },
  );
});
