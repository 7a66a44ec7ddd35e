import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { noticeCodes, rejectCodes } from '@platen/processing/warning-codes';
import { parameterWarningCodes } from '../server/jobs/types/unknown-keys.ts';

const page = await readFile(new URL('../docs/warnings.md', import.meta.url), 'utf8');

/** The first cells of the rows of a table. */
function codesIn(text: string): string[] {
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, code]) => code!));
}

// the types of JobContext ensure that jobs use no other code
test('docs/warnings.md explains every warning code of jobs, and no other', () => {
  const [rejected = '', others = ''] = page.split('## Other warnings');
  assert.deepEqual(codesIn(rejected).toSorted(), [...rejectCodes].toSorted());
  assert.deepEqual(codesIn(others).toSorted(), [...noticeCodes, ...parameterWarningCodes].toSorted());
});
