import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultLabel } from './default-label.ts';

const name = { name: 'name', type: 'string', count: 100, values: ['Oak', 'Elm'] } as const;
const height = { name: 'height', type: 'number', count: 9, values: [1], min: 1, max: 9 } as const;

test('points are labelled by their name, from where their labels have room', () => {
  const bbox = [0, -0.5, 1, 0.5];
  assert.deepEqual(defaultLabel([height, name], { bbox, featureCount: 100 }), {
    attribute: 'name',
    isBold: true,
    maxDistance: 130_000,
  });
  assert.equal(defaultLabel([name], { bbox, featureCount: 10_000 })!.maxDistance, 13_000);
  assert.equal(defaultLabel([name], { bbox: [179, 0, -179, 1], featureCount: 1 })!.maxDistance, 1_900_000);
  assert.equal(defaultLabel([name], { bbox: [5, 5, 5, 5], featureCount: 1 })!.maxDistance, 300);
});

test('without a name, a place or a number there are no labels', () => {
  const bbox = [0, 0, 1, 1];
  assert.equal(defaultLabel([height], { bbox, featureCount: 100 }), undefined);
  assert.equal(defaultLabel([name], { bbox: undefined, featureCount: 100 }), undefined);
  assert.equal(defaultLabel([name], { bbox, featureCount: undefined }), undefined);
});
