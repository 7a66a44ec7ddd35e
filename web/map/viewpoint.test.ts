import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewpointOf } from './viewpoint.ts';

test('a view crosses the antimeridian and is never inside the ground', () => {
  assert.deepEqual(viewpointOf([170, -20, -170, -10]).groundPosition, [180, -15, 0]);
  assert.equal(viewpointOf([9, 48, 9, 48]).distance, 400);
});

test('a view of the whole world is of its land', () => {
  const { groundPosition, distance } = viewpointOf([-180, -90, 180, 90]);
  assert.deepEqual([groundPosition, distance], [[14, 26, 0], 12_500_000]);
  assert.deepEqual(viewpointOf([-60, -40, 60, 40]).groundPosition, [0, 0, 0]);
});
