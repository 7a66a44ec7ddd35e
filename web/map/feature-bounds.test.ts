import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Feature } from 'geojson';
import { boundsOfFeatures, withIds } from './feature-bounds.ts';

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
