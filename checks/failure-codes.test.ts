import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failureCodes } from '@platen/contract/failure-codes';
import { sourcesOf } from './source.ts';

const page = readFileSync('docs/errors.md', 'utf8').split('\n## Jobs\n')[1] ?? '';

test('the page of errors says of every code that a job can end with what to do, and of no other', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| `') && !line.startsWith('| `errorCode'));
  const documented = rows.flatMap((row) =>
    [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, code]) => code!),
  );
  assert.deepEqual(documented.toSorted(), [...failureCodes].toSorted());
  for (const row of rows) assert.match(row, /^\|[^|]+\|[^|]+\|[^|]{3,}\|$/, row);
});

// The compiler proves that no other codes are used: JobFailure, JobFailed and finish accept only these.
test('every code that a job can end with is used somewhere', () => {
  const texts = [
    'contract/runner.ts',
    ...['confinement', 'egress', 'formats', 'processing', 'runner', 'server'].flatMap(pathsOf),
  ].map((path) => readFileSync(path, 'utf8'));
  assert.ok(texts.length > 200);
  assert.deepEqual(
    failureCodes.filter((code) => !texts.some((text) => text.includes(`'${code}'`))),
    [],
  );
});

const pathsOf = (room: string) => sourcesOf(room).map(({ path }) => path);
