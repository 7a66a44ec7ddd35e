import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clean, cleanExample, cleanResult } from './clean.ts';
import { createWarningCounter } from './warning-counter.ts';

test('text of users becomes JSON that the service accepts', () => {
  const deep = Array.from({ length: 100 }).reduce<unknown>((inner) => ({ inner }), 1);
  const dirty = { 'a\0': 'x\ud800y', n: NaN, b: 2n, list: ['\0'], ['__proto__']: 1, deep, empty: undefined };
  const text = JSON.stringify(clean(dirty));
  assert.match(text, /^\{"a\ufffd":"x\ufffdy","n":null,"b":"2","list":\["\ufffd"\],"deep":/);
  assert.ok(text.length < 500);
  assert.equal(text.includes('__proto__'), false);
});

test('a picture in a report stays whole, a message is cut', () => {
  const picture = `data:image/png;base64,${'A'.repeat(100_000)}`;
  assert.equal(cleanResult({ report: { picture } }).report.picture, picture);
  assert.equal(clean(picture).length, 10_000);
});

test('an example that is too large is cut', () => {
  const { beginning } = cleanExample({ text: 'a'.repeat(9000) });
  assert.equal((beginning as string).length, 4000);
});

test('warnings are counted per code, with the first message and twenty examples', () => {
  const warnings = createWarningCounter();
  for (let line = 1; line <= 1000; line++) warnings.add('skipped', `Line ${line} was skipped.`, { line });
  warnings.add('other', 'Something else.');
  const [skipped, other] = warnings.list();
  assert.deepEqual(
    [skipped!.count, skipped!.message, skipped!.examples.length],
    [1000, 'Line 1 was skipped.', 20],
  );
  assert.deepEqual(other, { code: 'other', message: 'Something else.', count: 1, examples: [] });
});
