import assert from 'node:assert/strict';
import { test } from 'node:test';
import { middleHeightOf, viewpointOf } from './viewpoint.ts';

test('a view crosses the antimeridian and is never inside the ground', () => {
  assert.deepEqual(viewpointOf([170, -20, -170, -10]).groundPosition, [180, -15, 0]);
  assert.equal(viewpointOf([9, 48, 9, 48]).distance, 400);
  assert.equal(viewpointOf([9, 48, 9.001, 48]).distance, 400);
  const figure = viewpointOf([11.5699992, 48.14, 11.5700012, 48.1400014], { pitch: -45 });
  assert.deepEqual([figure.distance, figure.groundPosition], [1, [11.5700002, 48.1400007, 0]]);
});

test('a view of the whole world is of its land', () => {
  const { groundPosition, distance } = viewpointOf([-180, -90, 180, 90]);
  assert.deepEqual([groundPosition, distance], [[14, 26, 0], 12_500_000]);
  assert.deepEqual(viewpointOf([-60, -40, 60, 40]).groundPosition, [0, 0, 0]);
});

test('a view of models is at their height, where a job has found it', () => {
  assert.equal(middleHeightOf({ heightRange: [2300, 2350] }), 2325);
  for (const unknown of [undefined, {}, { heightRange: 'high' }, { heightRange: [1, null] }])
    assert.equal(middleHeightOf(unknown), undefined);
  assert.deepEqual(
    viewpointOf([9, 48, 10, 49], { pitch: -45, height: 2325 }).groundPosition,
    [9.5, 48.5, 2325],
  );
});
