import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failureCodes } from '@platen/contract/failure-codes';
import { jobWaits, logLevels } from '@platen/contract/jobs';

type Messages = Readonly<Record<string, string | Readonly<Record<string, string | object>>>>;

const words = ['en', 'de'].map(
  (language) =>
    JSON.parse(readFileSync(new URL(`locales/${language}.json`, import.meta.url), 'utf8')) as Messages,
);
const namesOf = (messages: Messages, part: string) => Object.keys(messages[part] as object);

test('every failure code has a text that says what happened and what to do', () => {
  for (const messages of words) {
    assert.deepEqual(
      failureCodes.filter((code) => !namesOf(messages, 'failures').includes(code)),
      [],
    );
    for (const failure of Object.values(messages['failures'] as object) as Record<string, string>[]) {
      assert.ok(failure['what']!.length > 10 && failure['todo']!.length > 10, JSON.stringify(failure));
    }
  }
});

test('every reason to wait and level of the log has a name', () => {
  for (const messages of words) {
    assert.deepEqual(
      jobWaits.filter((one) => !namesOf(messages, 'waits').includes(one)),
      [],
    );
    assert.deepEqual(namesOf(messages, 'levels'), [...logLevels]);
  }
});

test('every code that the manual names as a warning has a name and says what to do', () => {
  const manual = readFileSync(new URL('../../docs/warnings.md', import.meta.url), 'utf8');
  const codes = [...manual.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`(\w+)`/g)].map(([, code]) => code!),
  );
  assert.ok(codes.length > 30);
  for (const messages of words) {
    for (const part of ['warnings', 'warningAdvice'])
      assert.deepEqual(
        codes.filter((code) => !namesOf(messages, part).includes(code)),
        [],
        part,
      );
  }
});
