import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { guessValue } from './guess-value.ts';

test('numbers and booleans are distinguished from codes that look like them', () => {
  for (const [text, value] of [
    ['12', 12],
    ['-3.50', -3.5],
    ['0', 0],
    ['1.5E-7', 1.5e-7],
    ['true', true],
    ['false', false],
  ] as const)
    assert.equal(guessValue(text), value);
  for (const text of [
    '',
    '007',
    '+49',
    '12E4',
    '1.',
    '.5',
    '1,5',
    '12345678901234567',
    'NaN',
    'Infinity',
    'TRUE',
    '1 2',
    '-',
    '0x10',
    '2026-05-01',
  ])
    assert.equal(guessValue(text), text);
});

test('doubles written by a program are read back', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e20, max: 1e20 }), (value) => {
      const guessed = guessValue(String(value));
      assert.ok(guessed === value || guessed === String(value));
      if (Math.abs(value) > 1e-6 && Math.abs(value) < 1e15) assert.equal(guessed, value);
    }),
  );
});
