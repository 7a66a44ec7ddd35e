import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createI18n } from 'vue-i18n';
import { codeOfWords } from './message-code.ts';

type Words = { readonly [key: string]: string | Words };

const web = fileURLToPath(new URL('..', import.meta.url));
const files = globSync('*/locales/{en,de}.json', { cwd: web });

function says(messages: object) {
  return createI18n({ legacy: false, locale: 'en', messages: { en: messages as Words } }).global.t as (
    key: string,
    values?: object,
    count?: number,
  ) => string;
}

/** Evaluates the expression that the browser would receive. */
const evaluate = async (code: string): Promise<Words> => {
  const made = (await import(
    `data:text/javascript,${encodeURIComponent(`export const words = ${code};`)}`
  )) as {
    words: Words;
  };
  return made.words;
};

function* messagesOf(words: Words, path: readonly string[] = []): Generator<[string, string]> {
  for (const [key, value] of Object.entries(words)) {
    if (typeof value === 'string') yield [[...path, key].join('.'), value];
    else yield* messagesOf(value, [...path, key]);
  }
}

test('all words say as code what they say as messages', async () => {
  assert.ok(files.length > 20);
  let functions = 0;
  for (const file of files) {
    const words = JSON.parse(readFileSync(web + file, 'utf8')) as Words;
    const asCode = await evaluate(codeOfWords(words));
    const [expected, actual] = [says(words), says(asCode)];
    functions += [...messagesOf(words)].filter(([, text]) => /[{|]/.test(text)).length;
    for (const [key, text] of messagesOf(words)) {
      const values = Object.fromEntries(
        [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, `<${name}>`]),
      );
      for (const count of [0, 1, 2, 5]) {
        assert.equal(actual(key, values, count), expected(key, values, count), `${file} ${key} ${count}`);
      }
      assert.equal(actual(key, values), expected(key, values), `${file} ${key}`);
    }
  }
  assert.ok(functions > 100);
});

test('an address stays text, and a brace of no value is refused', async () => {
  assert.equal(says(await evaluate(codeOfWords({ a: 'to name@example.org' })))('a'), 'to name@example.org');
  assert.throws(() => codeOfWords({ a: 'one { two' }), /brace/);
});
