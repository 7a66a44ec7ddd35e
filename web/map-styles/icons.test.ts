import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StyleIcon } from '@platen/contract/map-styles';
import { icons } from './icons.ts';

test('every icon is one that a style accepts, and has a name of its own', () => {
  const { pattern, maxLength } = StyleIcon.properties.path as { pattern?: string; maxLength?: number };
  const accepted = new RegExp(pattern!);
  assert.ok(icons.length > 200);
  for (const { name, path } of icons) assert.ok(path.length <= maxLength! && accepted.test(path), name);
  assert.equal(new Set(icons.map(({ name }) => name)).size, icons.length);
});
