import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environmentWithout, subjectOf, unchanged, unchangedSubjects } from './costly-tests.ts';
import { testFiles } from './test-files.ts';

test('a subject counts as unchanged unless a file changed that its tests may find wrong', () => {
  const all = ['faults', 'older engines', 'the interface'];
  assert.deepEqual(unchangedSubjects([]), all);
  assert.deepEqual(unchangedSubjects(['docs/api.md', 'geo/canvas/draw.ts', 'formats/zip/zip.ts']), all);
  for (const [path, expected] of [
    ['web/ui/DataTable.vue', ['faults', 'older engines']],
    ['viewer/page.ts', ['faults']],
    ['server/apps/content.ts', ['the interface']],
    ['runner/claim.ts', ['older engines', 'the interface']],
    ['processing/kit/memory.ts', ['older engines', 'the interface']],
    ['package-lock.json', []],
    ['e2e/chromium.ts', []],
  ] as const)
    assert.deepEqual(unchangedSubjects(['docs/api.md', path]), expected, path);
});

test('single tests of an unchanged subject are skipped, and run when nothing is left out', (t) => {
  const before = { ...process.env };
  t.after(() => (process.env = before));
  Object.assign(process.env, environmentWithout(['faults', 'older engines']));
  assert.match(String(unchanged('older engines')), /^tests of older engines: nothing .* has changed/);
  assert.equal(unchanged('the interface'), false);
  Object.assign(process.env, environmentWithout([]));
  assert.equal(unchanged('older engines'), false);
});

test('files that are costly as a whole name a known subject', () => {
  const subjects = Map.groupBy(testFiles([]), subjectOf);
  assert.ok(subjects.get('faults')!.includes('e2e/power-cut.test.ts'));
  assert.ok(subjects.get('the interface')!.includes('e2e/web/accessibility.test.ts'));
  assert.ok(subjects.get(undefined)!.includes('e2e/web/journeys.test.ts'));
});
