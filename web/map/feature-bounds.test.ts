import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Feature } from 'geojson';
import { boundsOfFeatures, typicalBounds, withIds } from './feature-bounds.ts';

const feature = (geometry: unknown) => ({ type: 'Feature', properties: {}, geometry }) as Feature;

test('the box holds all geometries, but no place beyond the world', () => {
  const features = [
    feature({ type: 'Point', coordinates: [9, 48, 300] }),
    feature(null),
    feature({
      type: 'GeometryCollection',
      geometries: [
        {
          type: 'MultiPolygon',
          coordinates: [
            [
              [
                [1, 2],
                [3, 2],
                [3, 4],
                [1, 2],
              ],
            ],
          ],
        },
      ],
    }),
    feature({ type: 'Point', coordinates: [500_000, 5_400_000] }),
  ];
  assert.deepEqual(boundsOfFeatures(features), [1, 2, 9, 48]);
  assert.equal(boundsOfFeatures([feature(null)]), undefined);
});

test('ids are indexes, whatever ids the features had', () => {
  const point = { type: 'Point', coordinates: [1, 2] };
  const { features } = withIds([feature(null), { ...feature(point), id: 'a' }]);
  assert.deepEqual(
    features.map(({ id }) => id),
    [1],
  );
});

test('a few features far away do not take the view from the others, and are counted', () => {
  const near = Array.from({ length: 100 }, (_, i) =>
    feature({ type: 'Point', coordinates: [7.4 + (i % 10) / 1000, 43.7 + i / 10_000] }),
  );
  const far = feature({
    type: 'LineString',
    coordinates: [
      [7.4, 43.7],
      [7.5, 43.1],
    ],
  });
  assert.equal(typicalBounds(near), undefined);
  assert.equal(typicalBounds([...near.slice(0, 10), far]), undefined);
  assert.deepEqual(typicalBounds(near, [7.4, 43.1, 7.5, 43.8])?.far, 0, 'none of the sample is far');
  assert.equal(typicalBounds(near, [7.4, 43.7, 7.41, 43.72]), undefined);
  const { bounds, far: count } = typicalBounds([...near, far])!;
  assert.equal(count, 1);
  assert.ok(bounds[0] >= 7.4 && bounds[1] >= 43.7 && bounds[2] < 7.41 && bounds[3] < 43.71);
});
