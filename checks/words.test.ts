import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  givenUpGermanPhrases,
  givenUpNames,
  givenUpParts,
  givenUpPhrases,
  type GivenUpWord,
} from './given-up-words.ts';
import { partsOf, phrasesIn, proseOf, wordsOf } from './words.ts';

const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8')) as { workspaces: string[] };
const exclude = ['**/node_modules/**', '**/dist/**'];

const linesOf = (path: string, found: readonly GivenUpWord[]) =>
  found.map(([word, instead]) => `${path}: “${word}”; use ${instead}`);

test('no identifier is a word that was given up, or contains one', () => {
  const paths = globSync(
    workspaces.map((folder) => `${folder}/**/*.{ts,vue}`),
    { exclude },
  ).filter((path) => path !== 'checks/given-up-words.ts');
  assert.ok(paths.length > 1000, 'there are files to look at');
  const names = new Map(givenUpNames);
  const parts = new Map(givenUpParts);
  const found = paths.flatMap((path) =>
    [...wordsOf(path, readFileSync(path, 'utf8')).names].flatMap((name) => {
      const instead =
        names.get(name) ??
        partsOf(name)
          .map((part) => parts.get(part))
          .find((it) => it !== undefined);
      return instead === undefined ? [] : linesOf(path, [[name, instead]]);
    }),
  );
  assert.deepEqual(found.toSorted(), []);
});

test('no sentence of the interface uses a phrase that was given up, in either language', () => {
  for (const [language, phrases] of [
    ['en', givenUpPhrases],
    ['de', givenUpGermanPhrases],
  ] as const) {
    const paths = globSync([
      `web/*/locales/${language}.json`,
      `web/tasks/form-words/${language}.json`,
      `processing/*/words.${language}.json`,
    ]);
    assert.ok(paths.length > 25, 'there are locales to look at');
    const values = paths.flatMap((path) =>
      valuesOf(JSON.parse(readFileSync(path, 'utf8'))).map((value) => [path, value] as const),
    );
    assert.ok(values.length > 1000, 'there are sentences to look at');
    const found = values.flatMap(([path, value]) => linesOf(path, phrasesIn(value, phrases)));
    assert.deepEqual(found, []);
  }
});

test('no description of the API uses a phrase that was given up', () => {
  const paths = globSync('contract/*.ts').filter((path) => !path.endsWith('.test.ts'));
  assert.ok(paths.length > 50, 'there are contracts to look at');
  const found = paths.flatMap((path) =>
    wordsOf(path, readFileSync(path, 'utf8')).texts.flatMap((text) =>
      linesOf(path, phrasesIn(text, givenUpPhrases)),
    ),
  );
  assert.deepEqual(found, []);
});

test('no message of the service, a runner or a tool uses a phrase that was given up', () => {
  const paths = globSync('{server,runner,processing,formats,egress,confinement,storage,cli}/**/*.ts', {
    exclude,
  }).filter((path) => !path.endsWith('.test.ts'));
  assert.ok(paths.length > 500, 'there are files to look at');
  const texts = paths.flatMap((path) =>
    wordsOf(path, readFileSync(path, 'utf8'))
      .texts.filter((text) => /\s/.test(text))
      .map((text) => [path, text] as const),
  );
  assert.ok(texts.length > 4000, 'there are messages to look at');
  const found = texts.flatMap(([path, text]) => linesOf(path, phrasesIn(text, givenUpPhrases)));
  assert.deepEqual(found, []);
});

test('no page of the documentation uses a phrase that was given up', () => {
  const paths = globSync(['docs/*.md', '*.md', '*/**/README.md'], { exclude });
  assert.ok(paths.length > 10, 'there are pages to look at');
  const found = paths.flatMap((path) =>
    linesOf(path, phrasesIn(proseOf(readFileSync(path, 'utf8')), givenUpPhrases)),
  );
  assert.deepEqual(found, []);
});

test('a name is divided into its parts, and a phrase is found as whole words in any case', () => {
  assert.deepEqual(partsOf('tellHTTPServer_2nd'), ['tell', 'http', 'server', '2nd']);
  assert.deepEqual(partsOf('recommended'), ['recommended']);
  const phrases: GivenUpWord[] = [['for the moment', 'temporarily']];
  assert.deepEqual(phrasesIn('It failed For\nthe moment.', phrases), phrases);
  assert.deepEqual(phrasesIn('for the momentum', phrases), []);
});

test('every identifier of a file is found, of a component too, and prose without its code', () => {
  const vue =
    '<script setup lang="ts">const told = { askAnew: `x ${1} y` };</script><template><p/></template>';
  const { names, texts } = wordsOf('a.vue', vue);
  assert.deepEqual([...names], ['told', 'askAnew']);
  assert.deepEqual(texts, ['x ', ' y']);
  assert.equal(proseOf('a `told` [b](told.md)\n```ts\ntold\n```\n'), 'a  [b]\n\n');
});

function valuesOf(words: unknown): string[] {
  if (typeof words === 'string') return [words];
  return typeof words === 'object' && words !== null ? Object.values(words).flatMap(valuesOf) : [];
}
