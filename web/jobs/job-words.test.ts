import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failureCodes } from '@platen/contract/failure-codes';
import { jobWaits, logLevels } from '@platen/contract/jobs';

type Words = Readonly<Record<string, string | Readonly<Record<string, string | object>>>>;

const words = ['en', 'de'].map(
  (language) =>
    JSON.parse(readFileSync(new URL(`locales/${language}.json`, import.meta.url), 'utf8')) as Words,
);
const namesOf = (of: Words, part: string) => Object.keys(of[part] as object);

test('every code that a job can fail with is told in plain words, with what to do', () => {
  for (const of of words) {
    assert.deepEqual(
      failureCodes.filter((code) => !namesOf(of, 'failures').includes(code)),
      [],
    );
    for (const told of Object.values(of['failures'] as object) as Record<string, string>[]) {
      assert.ok(told['what']!.length > 10 && told['todo']!.length > 10, JSON.stringify(told));
    }
  }
});

test('every reason to wait and level of the log has a name', () => {
  for (const of of words) {
    assert.deepEqual(
      jobWaits.filter((one) => !namesOf(of, 'waits').includes(one)),
      [],
    );
    assert.deepEqual(namesOf(of, 'levels'), [...logLevels]);
  }
});

test('every code that the manual names as a warning has a name', () => {
  const manual = readFileSync(new URL('../../docs/warnings.md', import.meta.url), 'utf8');
  const codes = [...manual.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`(\w+)`/g)].map(([, code]) => code!),
  );
  assert.ok(codes.length > 30);
  for (const of of words) {
    assert.deepEqual(
      codes.filter((code) => !namesOf(of, 'warnings').includes(code)),
      [],
    );
  }
});
