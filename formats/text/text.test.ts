import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SourceError } from '../source/source.ts';
import { openDecoder } from './open-decoder.ts';
import { parseDecimal } from './parse-decimal.ts';

const decode = (label: string | undefined, ...bytes: number[]): string =>
  openDecoder(label)(Buffer.from(bytes), 0, bytes.length);

test('each character set reads its own bytes', () => {
  assert.equal(decode('windows-1252', 0x80, 0xe4, 0x9f), '€äŸ');
  assert.equal(decode('UTF-8', 0xc3, 0xa4), 'ä');
  assert.equal(decode('ibm866', 0x8c, 0xae), 'Мо');
  assert.equal(decode('cp437', 0x81, 0x41, 0xff), 'üA\u00a0');
  assert.equal(decode('IBM850', 0x9d, 0xd5), 'Øı');
  assert.equal(decode('cp852', 0x88, 0xe7), 'łš');
  assert.equal(decode('shift_jis', 0x93, 0x8c, 0x8b, 0x9e), '東京');
});

test('without a known encoding, valid UTF-8 is read as such, and everything else as windows-1252', () => {
  assert.equal(decode(undefined, 0x4d, 0xc3, 0xbc), 'Mü');
  assert.equal(decode(undefined, 0x4d, 0xfc), 'Mü');
  assert.equal(decode(undefined, 0x4d, 0xfc, 0x6c), 'Mül');
  assert.equal(decode(undefined, 0xe2, 0x82, 0xac, 0xe2, 0x82), '€');
});

test('UTF-8 truncated within a character is still UTF-8, and the rest of the character is dropped', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-composite', maxLength: 9 }), fc.nat(20), (text, cut) => {
      const bytes = Buffer.from(`ä${text}`);
      const whole = openDecoder('utf-8')(bytes, 0, bytes.length);
      assert.ok(whole.startsWith(openDecoder(undefined)(bytes, 0, Math.max(2, cut))));
    }),
  );
});

test('an unknown character set is refused', () => {
  assert.throws(
    () => openDecoder('klingon'),
    (error) =>
      error instanceof SourceError && error.code === 'unknownEncoding' && /klingon/.test(error.message),
  );
});

const parse = (text: string, point?: number): number =>
  parseDecimal(Buffer.from(text), 0, text.length, point);

test('decimals are read to the last bit, with a point or a comma', () => {
  const digits = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map((value) => value.toFixed(7)),
    fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String),
    fc.integer().map((value) => `+${Math.abs(value)}.`),
    fc.nat().map((value) => `-.${value}`),
  );
  fc.assert(
    fc.property(digits, (text) => {
      assert.equal(parse(text), Number(text));
      assert.equal(parse(text.replace('.', ','), 44), Number(text));
    }),
    { numRuns: 1000 },
  );
});

test('text other than a decimal is NaN', () => {
  for (const text of [
    '',
    '-',
    '.',
    '1.2.3',
    '1,5',
    '0x10',
    '1e',
    'e5',
    ' 1',
    '1 ',
    'NaN',
    'Infinity',
    '1_0',
    '--1',
  ])
    assert.ok(Number.isNaN(parse(text)), text);
  assert.ok(Number.isNaN(parse('1.000,5', 44)));
  assert.ok(Number.isNaN(parse('1.5e3', 44)));
});
