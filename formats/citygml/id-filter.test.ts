import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IdFilter, mayHaveId } from './id-filter.ts';

const idsOf = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}_${i}-57558474-1061-4f38-8d68-83341e29e37b`);

test('all ids that were added are found, and few others', () => {
  const filter = new IdFilter();
  assert.ok(!mayHaveId(filter.bits, 'pol_0'));
  const added = idsOf('pol', 40_000);
  for (const id of added) filter.add(id);
  assert.ok(added.every((id) => mayHaveId(filter.bits, id)));
  const wrong = idsOf('lin', 40_000).filter((id) => mayHaveId(filter.bits, id));
  assert.ok(wrong.length < 800, `${wrong.length}`);
});
