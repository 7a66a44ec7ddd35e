import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geocentricOf, geodeticOf } from './geocentric.ts';
import { compose, identity, multiply, transformPosition } from './matrix.ts';

const near = (actual: readonly number[], expected: readonly number[], tolerance: number): void => {
  for (const [i, value] of expected.entries())
    assert.ok(
      Math.abs(actual[i]! - value) <= tolerance,
      `${actual.join(' ')} instead of ${expected.join(' ')}`,
    );
};

test('a position is converted to EPSG:4978 and back', () => {
  // EPSG guidance note 7-2, 4.1.1: 53°48′33.820″ N, 2°07′46.380″ E, 73 m
  const [lon, lat] = [2 + 7 / 60 + 46.38 / 3600, 53 + 48 / 60 + 33.82 / 3600];
  near(geocentricOf(lon, lat, 73), [3771793.968, 140253.342, 5124304.349], 0.001);
  near(geodeticOf([3771793.968, 140253.342, 5124304.349]), [lon, lat, 73], 0.001);
});

test('positions at the poles, far above and far below return with an error below a hundredth of a millimetre', () => {
  for (let lat = -90; lat <= 90; lat += 15) {
    for (let lon = -180; lon < 180; lon += 45) {
      for (const height of [-11_000, 0, 9000, 400_000]) {
        const there = geocentricOf(lon, lat, height);
        near(geocentricOf(...geodeticOf(there)), there, 1e-5);
      }
    }
  }
  assert.ok(Number.isNaN(geodeticOf([0, 0, 0])[2]));
});

test('matrices place inner things in outer ones', () => {
  const quarter = Math.SQRT1_2;
  const outer = compose({ translation: [10, 0, 0], rotation: [0, 0, quarter, quarter], scale: [2, 2, 2] });
  const inner = compose({ translation: [1, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] });
  near(transformPosition(multiply(outer, inner), [0, 0, 5]), [10, 2, 10], 1e-12);
  near(multiply(identity, outer), outer, 0);
});
