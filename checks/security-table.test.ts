import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/**
 * The requirements of levels 1 and 2 by section of OWASP ASVS 5.0; within a section they are numbered from 1.
 * https://github.com/OWASP/ASVS/tree/master/5.0
 */
const sections = `1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1
  4.3:2 4.4:4 5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2
  8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4
  11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5
  16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2`;
const requirements = sections
  .split(/\s+/)
  .map((word) => word.split(':'))
  .flatMap(([section = '', count]) =>
    Array.from({ length: Number(count) }, (_, index) => `${section}.${index + 1}`),
  );

const text = readFileSync(new URL('../SECURITY.md', import.meta.url), 'utf8');
const rows = [...text.matchAll(/^\| ([\d.]+)(?:–([\d.]+))? +\| (.+?) +\| (.+?) +\|$/gm)].map(
  ([, first = '', last = first, state = '', reason = '']) => ({ first, last, state, reason }),
);

test('SECURITY.md has one line for each requirement of the levels 1 and 2, in their order', () => {
  const listed = rows.flatMap(({ first, last }) => requirementsFrom(first, last));
  assert.deepEqual(listed, requirements);
  assert.equal(requirements.length, 253);
});

test('each line has a state with a reason: a test or document, or a date if it is not met', () => {
  for (const { first, state, reason } of rows) {
    assert.match(
      state,
      /^(met|operator|not applicable|(partly|not met) until 20\d\d-(0[1-9]|1[0-2])-[0-3]\d)$/,
      first,
    );
    assert.ok(reason.length >= 9, first);
  }
  const unmet = rows.filter(({ state }) => /until/.test(state));
  for (const { first, reason } of unmet) assert.ok(reason.length > 40, `${first} says what is missing`);
});

function requirementsFrom(first: string, last: string): string[] {
  const section = first.slice(0, first.lastIndexOf('.'));
  assert.equal(section, last.slice(0, last.lastIndexOf('.')), 'a line stays in its section');
  const [from, to] = [first, last].map((it) => Number(it.slice(section.length + 1))) as [number, number];
  return Array.from({ length: to - from + 1 }, (_, index) => `${section}.${from + index}`);
}
