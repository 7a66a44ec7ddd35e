import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const codeOf = /(?:\.add\(\s*|\bcode: )'([a-z]\w+)'/g;

test('all that inspections find has a title in both languages', () => {
  const sources = globSync('processing/inspect/**/*.ts', { cwd: root }).filter(
    (file) => !file.includes('test'),
  );
  const codes = new Set(
    sources.flatMap((file) =>
      [...readFileSync(root + file, 'utf8').matchAll(codeOf)].map(([, code]) => code!),
    ),
  );
  assert.ok(codes.size > 50);
  for (const language of ['en', 'de']) {
    const words = readFileSync(`${root}web/file-issues/locales/${language}.json`, 'utf8');
    const titles = (JSON.parse(words) as { of: Record<string, string> }).of;
    assert.deepEqual(
      [...codes].filter((code) => !(code in titles)),
      [],
      language,
    );
  }
});
