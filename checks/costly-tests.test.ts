import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environmentWithout, subjectOf, unchanged, unchangedSubjects } from './costly-tests.ts';
import { testFiles } from './test-files.ts';

test('a subject counts as unchanged unless a file changed that its tests may find wrong', () => {
  const all = ['faults', 'older engines', 'the interface', 'object storage', 'tiles'];
  assert.deepEqual(unchangedSubjects([]), all);
  assert.deepEqual(unchangedSubjects(['docs/api.md', 'cli/main.ts']), all);
  const examples: (readonly [path: string, ...reached: string[]])[] = [
    ['web/ui/DataTable.vue', 'the interface'],
    ['viewer/page.ts', 'older engines', 'the interface', 'tiles'],
    ['server/apps/content.ts', 'faults', 'older engines'],
    ['styles/legend.ts', 'older engines'],
    ['web/quick-publish/plan.ts', 'older engines', 'the interface'],
    ['runner/claim.ts', 'faults'],
    ['storage/s3-put.ts', 'faults', 'object storage'],
    ['processing/kit/memory.ts', 'faults', 'tiles'],
    ['geo/clip/clip.ts', 'tiles'],
    ['package-lock.json', ...all],
    ['e2e/chromium.ts', ...all],
  ];
  for (const [path, ...reached] of examples)
    assert.deepEqual(
      unchangedSubjects(['docs/api.md', path]),
      all.filter((subject) => !reached.includes(subject)),
      path,
    );
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
  assert.ok(subjects.get('tiles')!.includes('e2e/tiles/neighbours.test.ts'));
  assert.ok(subjects.get('object storage')!.includes('storage/s3-uploads.test.ts'));
  assert.ok(subjects.get('the interface')!.includes('e2e/web/accessibility.test.ts'));
  assert.ok(subjects.get(undefined)!.includes('e2e/web/journeys.test.ts'));
});
