import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geocentricOf, geodeticOf } from './geocentric.ts';
import { fromLocal, localFrameAt, setMotion, toLocal } from './local-frame.ts';
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

test('a motion leads from the axes of a place to those of another', () => {
  const [place, other] = [{ lon: 11.5, lat: 48.1, height: 520 }, { lon: 11.51, lat: 48.09, height: 500 }] as const; // prettier-ignore
  const [from, to] = [place, other].map(({ lon, lat, height }) => localFrameAt(lon, lat, height));
  const motion = new Float64Array(12);
  setMotion(motion, place, to!);
  for (const point of [
    [0, 0, 0],
    [30, -20, 10],
    [-5, 8, 90],
  ] as const) {
    // prettier-ignore
    const along = (row: number): number =>
      point.reduce((sum, value, i) => sum + motion[row * 4 + i]! * value, motion[row * 4 + 3]!);
    near([along(0), along(1), along(2)], toLocal(to!, fromLocal(from!, point)), 1e-8);
  }
});
