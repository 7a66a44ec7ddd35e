import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Language, Messages } from '../build/job-words.ts';
import { areaMessages } from '../build/messages-plugin.ts';

const web = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(`${web}/${file}`, 'utf8');
const areas = globSync('*/locales/en.json', { cwd: web })
  .map((file) => file.split(/[\\/]/)[0]!)
  .toSorted();

/** All texts of a language by their full keys. */
function messagesOf(language: Language): Map<string, string> {
  const found = new Map<string, string>();
  const add = (messages: Messages, prefix: string) => {
    for (const [key, value] of Object.entries(messages)) {
      if (typeof value === 'string') found.set(`${prefix}.${key}`, value);
      else add(value, `${prefix}.${key}`);
    }
  };
  for (const [area, messages] of Object.entries(areaMessages(web, areas, language)))
    add(messages as Messages, area);
  return found;
}

const english = messagesOf('en');
const german = messagesOf('de');

test('both languages have the same words', () => {
  assert.ok(areas.length > 5 && english.size > 200);
  assert.deepEqual([...german.keys()].toSorted(), [...english.keys()].toSorted());
});

test('both languages use the same placeholders and plural forms', () => {
  const valuesOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].toSorted();
  for (const [key, text] of english) {
    assert.deepEqual(valuesOf(german.get(key)!), valuesOf(text), key);
    assert.equal(german.get(key)!.split(' | ').length, text.split(' | ').length, key);
  }
});

test('every text that a page names exists', () => {
  const used = globSync('**/*.{vue,ts}', {
    cwd: web,
    exclude: ['dist*/**', 'node_modules/**', '**/*.test.ts'],
  })
    .filter((file) => !file.startsWith('dist'))
    .flatMap((file) =>
      [...read(file).matchAll(/(?<![\w.])(?:\w+\.)?t\(\s*(['"`])([\w-]+(?:\.[\w-]+)+)\1/g)].map(
        (match) => `${match[2]} (${file})`,
      ),
    );
  assert.ok(used.length > 100);
  assert.deepEqual(
    used.filter((one) => !english.has(one.split(' ')[0]!)),
    [],
  );
});

test('German words have German quotation marks, and no words of the other language stay behind', () => {
  const asEnglish = [...german].filter(
    ([key, text]) => text === english.get(key) && text.split(' ').length > 3,
  );
  assert.deepEqual(asEnglish, []);
  assert.deepEqual(
    [...german].filter(([, text]) => /“[^”]*”/.test(text)),
    [],
  );
});
