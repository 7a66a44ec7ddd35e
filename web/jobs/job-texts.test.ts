import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { jobWaits, logLevels } from '@platen/contract/jobs';

type Messages = Readonly<Record<string, string | Readonly<Record<string, string | object>>>>;

const words = ['en', 'de'].map(
  (language) =>
    JSON.parse(readFileSync(new URL(`locales/${language}.json`, import.meta.url), 'utf8')) as Messages,
);
const namesOf = (messages: Messages, part: string) => Object.keys(messages[part] as object);

test('every reason to wait and level of the log has a name', () => {
  for (const messages of words) {
    assert.deepEqual(
      jobWaits.filter((one) => !namesOf(messages, 'waits').includes(one)),
      [],
    );
    assert.deepEqual(namesOf(messages, 'levels'), [...logLevels]);
  }
});
