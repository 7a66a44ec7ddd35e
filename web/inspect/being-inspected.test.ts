import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBeingInspected } from './being-inspected.ts';

test('files that have just come are being inspected, until their inspection is there or does not come', () => {
  const now = Date.parse('2026-11-27T08:00:00Z');
  const file = { type: 'file', updatedAt: '2026-11-27T07:59:00Z' } as const;
  assert.equal(isBeingInspected(file, now), true);
  assert.equal(isBeingInspected({ ...file, inspection: { facts: { layers: 0 } } as never }, now), false);
  assert.equal(isBeingInspected({ ...file, updatedAt: '2026-11-27T07:50:00Z' }, now), false);
  assert.equal(isBeingInspected({ ...file, type: 'directory' }, now), false);
});
