import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { issueSentences, issueText } from './issue-text.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

function textsOf(language: 'en' | 'de') {
  const file = readFileSync(new URL(`locales/${language}.json`, import.meta.url), 'utf8');
  const { details } = JSON.parse(file) as { details: Readonly<Record<string, string>> };
  return (key: string, named: Readonly<Record<string, string>>) =>
    details[key.replace('file-issues.details.', '')]!.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => named[name]!,
    );
}

test('sentences of inspections are translated with what they name, and English ones stay as they are', () => {
  for (const [key, sentence] of Object.entries(issueSentences)) {
    const message = sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => `${name}.x`);
    assert.equal(issueText(message, textsOf('en')), message, key);
    const german = issueText(message, textsOf('de'))!;
    assert.doesNotMatch(german, /\b(the|this|of|which)\b|[{}]/i);
  }
  assert.equal(
    issueText('It has 1200 layers. This report covers the first 1000.', textsOf('de')),
    'Es sind 1200 Ebenen. Dieser Bericht umfasst die ersten 1000.',
  );
  assert.equal(issueText('a.tif: something else.', textsOf('de')), undefined);
  assert.equal(issueText(' has no root tile: it cannot be shown.', textsOf('de')), undefined);
});

/** Those that the code puts together of several parts. */
const built = new Set(['gaps', 'oneGap', 'missingCrs', 'noCrs']);

test('each sentence is one that an inspection says', () => {
  const sources = globSync('processing/inspect/**/*.ts', { cwd: root }).filter(
    (file) => !file.includes('test'),
  );
  const said = sources.map((file) => readFileSync(root + file, 'utf8')).join('\n');
  for (const [key, sentence] of Object.entries(issueSentences))
    for (const part of sentence.split(/\{\w+\}/))
      assert.ok(said.includes(part) || built.has(key), `${key}: “${part}”`);
});
